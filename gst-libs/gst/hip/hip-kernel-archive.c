/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* What is in a file of precompiled kernels, and when is it believed? Must not
 * know compilers, devices or what a binary means.
 *
 * A file: the header, the index, then the binaries, each at a multiple of 64.
 * It is mapped; binaries are used where they lie. Header and index have one
 * digest, checked when the file is opened; each binary has its own, checked
 * when it is asked for. Unlike the cache, where a file comes from is not
 * checked: it lies where the library itself does.
 *
 * Invariant: whatever the bytes, nothing outside the file is read.
 */
#include <string.h>

#include "hip-kernel-archive.h"
#include "gsthiperror.h"

#define MAGIC "GstHipA\n"
#define FORMAT_VERSION 1
#define KEY_LENGTH 64
#define DIGEST_LENGTH 32
#define ALIGNMENT 64
/* More is no archive; keeps the index's size from overflowing */
#define MAX_ENTRIES 100000

typedef struct
{
  gchar magic[8];
  guint32 version;              /* little endian, as all numbers here */
  guint32 n_entries;
  guint64 file_size;
  gchar target[64];             /* tells a file that was given another's name */
  guint8 digest[DIGEST_LENGTH]; /* SHA-256 of all of the above and the index */
} Header;

typedef struct
{
  gchar key[KEY_LENGTH];
  gchar origin[KEY_LENGTH];
  guint64 offset, size;
  guint8 digest[DIGEST_LENGTH]; /* SHA-256 of the binary */
} Index;

G_STATIC_ASSERT (sizeof (Header) == 120);
G_STATIC_ASSERT (sizeof (Index) == 176);

struct _HipKernelArchive
{
  GBytes *content;              /* the mapped file */
  const Index *index;
  guint n_entries;
};

void
hip_kernel_archive_entry_clear (HipKernelArchiveEntry * entry)
{
  g_free (entry->key);
  g_free (entry->origin);
  g_bytes_unref (entry->binary);
}

static void
make_digest (const Header * header, gconstpointer data, gsize size,
    guint8 digest[DIGEST_LENGTH])
{
  g_autoptr (GChecksum) sum = g_checksum_new (G_CHECKSUM_SHA256);
  gsize length = DIGEST_LENGTH;

  if (header)
    g_checksum_update (sum, (const guchar *) header,
        G_STRUCT_OFFSET (Header, digest));
  if (size > 0)
    g_checksum_update (sum, data, size);
  g_checksum_get_digest (sum, digest, &length);
}

/* --- reading --- */

/* Why this is no archive for target, or NULL */
static const gchar *
find_fault (const guint8 * data, gsize size, const gchar * target)
{
  guint8 digest[DIGEST_LENGTH];
  Header header;
  gsize index_size;

  if (size < sizeof (header))
    return "it is too short";
  memcpy (&header, data, sizeof (header));
  if (memcmp (header.magic, MAGIC, sizeof (header.magic)) != 0)
    return "it is no archive of kernels";
  if (GUINT32_FROM_LE (header.version) != FORMAT_VERSION)
    return "another version of the library made it";
  if (strncmp (header.target, target, sizeof (header.target)) != 0)
    return "it is for another architecture than its name says";
  if (GUINT64_FROM_LE (header.file_size) != size)
    return "it has not the length that it says";
  index_size = (gsize) GUINT32_FROM_LE (header.n_entries) * sizeof (Index);
  if (GUINT32_FROM_LE (header.n_entries) > MAX_ENTRIES
      || index_size > size - sizeof (header))
    return "its index does not fit into it";
  make_digest (&header, data + sizeof (header), index_size, digest);
  if (memcmp (digest, header.digest, DIGEST_LENGTH) != 0)
    return "it is damaged";
  return NULL;
}

HipKernelArchive *
hip_kernel_archive_open (const gchar * path, const gchar * target,
    GError ** error)
{
  g_autoptr (GMappedFile) file = NULL;
  g_autoptr (GError) cause = NULL;
  HipKernelArchive *archive;
  const gchar *fault;
  const guint8 *data;

  file = g_mapped_file_new (path, FALSE, &cause);
  fault = file ? find_fault ((guint8 *) g_mapped_file_get_contents (file),
      g_mapped_file_get_length (file), target) : cause->message;
  if (fault) {
    g_set_error (error, GST_HIP_ERROR, GST_HIP_ERROR_INVALID,
        "Precompiled kernels in %s ignored: %s", path, fault);
    return NULL;
  }
  data = (const guint8 *) g_mapped_file_get_contents (file);
  archive = g_new0 (HipKernelArchive, 1);
  archive->content = g_mapped_file_get_bytes (file);
  archive->index = (const Index *) (data + sizeof (Header));
  archive->n_entries = GUINT32_FROM_LE (((const Header *) data)->n_entries);
  return archive;
}

void
hip_kernel_archive_free (HipKernelArchive * archive)
{
  g_bytes_unref (archive->content);
  g_free (archive);
}

guint
hip_kernel_archive_get_n_entries (HipKernelArchive * archive)
{
  return archive->n_entries;
}

GBytes *
hip_kernel_archive_find (HipKernelArchive * archive, const gchar * key,
    const gchar * origin, GError ** error)
{
  gsize total = g_bytes_get_size (archive->content);
  guint8 digest[DIGEST_LENGTH];
  g_autoptr (GBytes) binary = NULL;

  for (guint i = 0; i < archive->n_entries; i++) {
    const Index *entry = &archive->index[i];
    guint64 offset = GUINT64_FROM_LE (entry->offset);
    guint64 size = GUINT64_FROM_LE (entry->size);

    if (strncmp (entry->key, key, KEY_LENGTH) != 0
        || (origin && strncmp (entry->origin, origin, KEY_LENGTH) != 0))
      continue;
    if (offset <= total && size <= total - offset) {
      binary = g_bytes_new_from_bytes (archive->content, offset, size);
      make_digest (NULL, g_bytes_get_data (binary, NULL), size, digest);
      if (memcmp (digest, entry->digest, DIGEST_LENGTH) == 0)
        return g_steal_pointer (&binary);
    }
    g_set_error (error, GST_HIP_ERROR, GST_HIP_ERROR_INVALID,
        "A precompiled kernel is damaged");
    return NULL;
  }
  return NULL;
}

/* --- writing --- */

static gsize
padded (gsize size)
{
  return (size + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
}

static void
set_text (gchar * out, gsize size, const gchar * text)
{
  memcpy (out, text, MIN (strlen (text), size));
}

static GByteArray *
make_content (const gchar * target, const GArray * entries)
{
  GByteArray *out = g_byte_array_new ();
  Header header = { {0}, };
  gsize index_size = entries->len * sizeof (Index);
  gsize begin = sizeof (header) + index_size, end = begin;
  g_autofree Index *index = g_new0 (Index, entries->len + 1);

  for (guint i = 0; i < entries->len; i++) {
    const HipKernelArchiveEntry *entry =
        &g_array_index (entries, HipKernelArchiveEntry, i);
    gsize size;
    gconstpointer data = g_bytes_get_data (entry->binary, &size);

    set_text (index[i].key, KEY_LENGTH, entry->key);
    set_text (index[i].origin, KEY_LENGTH, entry->origin);
    index[i].offset = GUINT64_TO_LE ((guint64) padded (end));
    index[i].size = GUINT64_TO_LE ((guint64) size);
    make_digest (NULL, data, size, index[i].digest);
    end = padded (end) + size;
  }
  memcpy (header.magic, MAGIC, sizeof (header.magic));
  header.version = GUINT32_TO_LE (FORMAT_VERSION);
  header.n_entries = GUINT32_TO_LE (entries->len);
  header.file_size = GUINT64_TO_LE ((guint64) end);
  set_text (header.target, sizeof (header.target), target);
  make_digest (&header, index, index_size, header.digest);

  g_byte_array_set_size (out, end);
  memset (out->data, 0, end);
  memcpy (out->data, &header, sizeof (header));
  memcpy (out->data + sizeof (header), index, index_size);
  for (guint i = 0; i < entries->len; i++) {
    gsize size;
    gconstpointer data = g_bytes_get_data (g_array_index (entries,
            HipKernelArchiveEntry, i).binary, &size);

    memcpy (out->data + GUINT64_FROM_LE (index[i].offset), data, size);
  }
  return out;
}

gboolean
hip_kernel_archive_write (const gchar * path, const gchar * target,
    const GArray * entries, GError ** error)
{
  g_autoptr (GByteArray) content = NULL;
  g_autofree gchar *there = NULL;
  gsize length;

  g_return_val_if_fail (strlen (target) < sizeof (((Header *) 0)->target),
      FALSE);

  content = make_content (target, entries);
  if (g_file_get_contents (path, &there, &length, NULL)
      && length == content->len && memcmp (there, content->data, length) == 0)
    return TRUE;
  return g_file_set_contents (path, (const gchar *) content->data,
      content->len, error);
}
