/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* What is a compiled kernel on disk, and when is it believed? Must not know
 * compilers, devices or what a binary means.
 *
 * Invariant: what load returns is, bit for bit, what a process of this user
 * gave to store under the same key. A binary is code that will run, so that is
 * checked on the opened descriptor and over all bytes: owner, mode, kind of
 * file, key, length, digest. What fails a check is as good as absent, and
 * removed if it is ours.
 *
 * A file: the header below, then the binary. It appears under its name by a
 * rename, so that no reader ever sees half of one; if a crash of the machine
 * leaves half of one all the same, the digest tells.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "hip-disk-cache.h"

#define MAGIC "GstHipK\n"
/* Of keys and of files: with a new one old files are ignored, and trimmed in time. */
#define FORMAT_VERSION 1
#define KEY_LENGTH 64
#define DIGEST_LENGTH 32

typedef struct
{
  gchar magic[8];
  guint32 version;              /* little endian, as all numbers here */
  guint32 header_size;
  guint64 binary_size;
  gchar key[KEY_LENGTH];        /* tells a file that was given another's name */
  guint8 digest[DIGEST_LENGTH]; /* SHA-256 of all of the above and the binary */
} Header;

G_STATIC_ASSERT (sizeof (Header) == 120);

/* Lengths before contents: no two lists of strings give the same bytes. */
static void
add_string (GChecksum * sum, const gchar * text)
{
  gsize size = text == NULL ? 0 : strlen (text);
  guint64 length = GUINT64_TO_LE (size);

  g_checksum_update (sum, (const guchar *) &length, sizeof (length));
  if (size > 0)
    g_checksum_update (sum, (const guchar *) text, size);
}

static void
add_number (GChecksum * sum, guint64 value)
{
  value = GUINT64_TO_LE (value);
  g_checksum_update (sum, (const guchar *) &value, sizeof (value));
}

gchar *
hip_disk_cache_make_key (const HipDiskCacheParts * parts)
{
  g_autoptr (GChecksum) sum = g_checksum_new (G_CHECKSUM_SHA256);
  guint n_options = 0;

  if (parts->options != NULL)
    n_options = g_strv_length ((gchar **) parts->options);

  add_number (sum, FORMAT_VERSION);
  add_string (sum, parts->prelude);
  add_string (sum, parts->source);
  add_number (sum, n_options);
  for (guint i = 0; i < n_options; i++)
    add_string (sum, parts->options[i]);
  add_string (sum, parts->architecture);
  add_string (sum, parts->compiler);
  return g_strdup (g_checksum_get_string (sum));
}

static gboolean
is_key (const gchar * key)
{
  return key != NULL && strlen (key) == KEY_LENGTH &&
      strspn (key, "0123456789abcdef") == KEY_LENGTH;
}

static void
make_digest (const Header * header, gconstpointer binary, gsize size,
    guint8 digest[DIGEST_LENGTH])
{
  g_autoptr (GChecksum) sum = g_checksum_new (G_CHECKSUM_SHA256);
  gsize length = DIGEST_LENGTH;

  g_checksum_update (sum, (const guchar *) header,
      G_STRUCT_OFFSET (Header, digest));
  g_checksum_update (sum, binary, size);
  g_checksum_get_digest (sum, digest, &length);
}

static void
fill_header (Header * header, const gchar * key, GBytes * binary)
{
  gsize size;
  gconstpointer data = g_bytes_get_data (binary, &size);

  memset (header, 0, sizeof (*header));
  memcpy (header->magic, MAGIC, sizeof (header->magic));
  header->version = GUINT32_TO_LE (FORMAT_VERSION);
  header->header_size = GUINT32_TO_LE ((guint32) sizeof (*header));
  header->binary_size = GUINT64_TO_LE ((guint64) size);
  memcpy (header->key, key, KEY_LENGTH);
  make_digest (header, data, size, header->digest);
}

/* --- load --- */

static gboolean
read_all (gint fd, gpointer data, gsize size)
{
  gsize done = 0;

  while (done < size) {
    gssize n = read (fd, (guint8 *) data + done, size - done);

    if (n < 0 && errno == EINTR)
      continue;
    if (n <= 0)
      return FALSE;
    done += n;
  }
  return TRUE;
}

/* Reads, never maps: a file that shrinks or changes under us must not be able
 * to change what was checked. */
static GBytes *
read_checked (gint fd, const struct stat *st, const gchar * key,
    const gchar ** why)
{
  guint64 size = st->st_size;
  g_autofree guint8 *binary = NULL;
  guint8 digest[DIGEST_LENGTH];
  Header header;

  *why = "is not a whole file";
  if (size <= sizeof (header) || size > hip_disk_cache_dir_limit ())
    return NULL;
  if (!read_all (fd, &header, sizeof (header)))
    return NULL;

  *why = "is no kernel of this version";
  if (memcmp (header.magic, MAGIC, sizeof (header.magic)) != 0 ||
      GUINT32_FROM_LE (header.version) != FORMAT_VERSION ||
      GUINT32_FROM_LE (header.header_size) != sizeof (header))
    return NULL;
  *why = "is another kernel's";
  if (memcmp (header.key, key, KEY_LENGTH) != 0)
    return NULL;
  *why = "has not the length that it says";
  size -= sizeof (header);
  if (GUINT64_FROM_LE (header.binary_size) != size)
    return NULL;

  *why = "cannot be read";
  binary = g_try_malloc (size);
  if (binary == NULL || !read_all (fd, binary, size))
    return NULL;
  *why = "is damaged";
  make_digest (&header, binary, size, digest);
  if (memcmp (digest, header.digest, DIGEST_LENGTH) != 0)
    return NULL;
  return g_bytes_new_take (g_steal_pointer (&binary), size);
}

static GBytes *
load_file (gint dirfd, const gchar * name, const gchar * key)
{
  GBytes *binary = NULL;
  const gchar *why;
  struct stat st;
  /* O_NONBLOCK: a FIFO of that name must not stop us before fstat () tells */
  gint fd = openat (dirfd, name,
      O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);

  if (fd < 0)
    return NULL;
  if (fstat (fd, &st) < 0 || !S_ISREG (st.st_mode) || st.st_uid != geteuid ()) {
    hip_disk_cache_report (HIP_DISK_CACHE_UNTRUSTED,
        "cached kernel %s ignored: not a file of this user", name);
  } else if ((st.st_mode & (S_IWGRP | S_IWOTH)) != 0) {
    hip_disk_cache_report (HIP_DISK_CACHE_UNTRUSTED,
        "cached kernel %s removed: others can write it", name);
    unlinkat (dirfd, name, 0);
  } else if ((binary = read_checked (fd, &st, key, &why)) == NULL) {
    hip_disk_cache_report (HIP_DISK_CACHE_UNTRUSTED,
        "cached kernel %s removed: it %s", name, why);
    unlinkat (dirfd, name, 0);
  } else {
    /* the time of use, for trimming; on a read-only file system it stays */
    (void) futimens (fd, NULL);
  }
  close (fd);
  return binary;
}

GBytes *
hip_disk_cache_load (const gchar * key)
{
  g_autofree gchar *name = NULL;
  GBytes *binary;
  gint dirfd;

  g_return_val_if_fail (is_key (key), NULL);

  dirfd = hip_disk_cache_dir_open (FALSE);
  if (dirfd < 0)
    return NULL;
  name = g_strconcat (key, HIP_DISK_CACHE_SUFFIX, NULL);
  binary = load_file (dirfd, name, key);
  close (dirfd);
  return binary;
}

/* --- store --- */

/* Beyond RLIMIT_FSIZE write () raises SIGXFSZ, which ends the process unless
 * it is blocked. Ours alone must not arrive later, so it is taken back. */
static gssize
write_quietly (gint fd, gconstpointer data, gsize size)
{
  const struct timespec now = { 0, 0 };
  sigset_t xfsz, before, pending;
  gssize n;
  gint error;

  sigemptyset (&xfsz);
  sigaddset (&xfsz, SIGXFSZ);
  sigpending (&pending);
  pthread_sigmask (SIG_BLOCK, &xfsz, &before);
  n = write (fd, data, size);
  error = errno;
  if (n < 0 && error == EFBIG && !sigismember (&pending, SIGXFSZ))
    while (sigtimedwait (&xfsz, NULL, &now) < 0 && errno == EINTR);
  pthread_sigmask (SIG_SETMASK, &before, NULL);
  errno = error;
  return n;
}

static gboolean
write_all (gint fd, gconstpointer data, gsize size)
{
  gsize done = 0;

  while (done < size) {
    gssize n = write_quietly (fd, (const guint8 *) data + done, size - done);

    if (n < 0 && errno == EINTR)
      continue;
    if (n <= 0)
      return FALSE;
    done += n;
  }
  return TRUE;
}

/* A new file that only we can write, for the caller to rename. */
static gint
open_temp (gint dirfd, gchar ** name)
{
  for (guint i = 0; i < 16; i++) {
    gint fd;

    *name = g_strdup_printf (HIP_DISK_CACHE_TEMP_PREFIX "%d-%08x",
        (gint) getpid (), g_random_int ());
    fd = openat (dirfd, *name,
        O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
    if (fd >= 0 || errno != EEXIST)
      return fd;
    g_clear_pointer (name, g_free);
  }
  return -1;
}

static gboolean
store_file (gint dirfd, const gchar * name, const gchar * key, GBytes * binary)
{
  g_autofree gchar *temp = NULL;
  Header header;
  gsize size;
  gconstpointer data = g_bytes_get_data (binary, &size);
  gboolean ok;
  gint error;
  gint fd = open_temp (dirfd, &temp);

  if (fd < 0)
    return FALSE;
  fill_header (&header, key, binary);
  ok = write_all (fd, &header, sizeof (header)) && write_all (fd, data, size);
  error = errno;
  /* network file systems tell here that there is no room */
  if (close (fd) < 0 && ok) {
    error = errno;
    ok = FALSE;
  }
  if (ok && renameat (dirfd, temp, dirfd, name) < 0) {
    error = errno;
    ok = FALSE;
  }
  if (!ok)
    unlinkat (dirfd, temp, 0);
  errno = error;
  return ok;
}

void
hip_disk_cache_store (const gchar * key, GBytes * binary)
{
  guint64 limit = hip_disk_cache_dir_limit ();
  g_autofree gchar *name = NULL;
  gint dirfd;

  g_return_if_fail (is_key (key));
  g_return_if_fail (binary != NULL && g_bytes_get_size (binary) > 0);

  /* It would push out everything else, and then itself. */
  if (g_bytes_get_size (binary) + sizeof (Header) > limit)
    return;
  dirfd = hip_disk_cache_dir_open (TRUE);
  if (dirfd < 0)
    return;
  name = g_strconcat (key, HIP_DISK_CACHE_SUFFIX, NULL);
  if (store_file (dirfd, name, key, binary)) {
    hip_disk_cache_dir_trim (dirfd, limit);
  } else {
    hip_disk_cache_report (HIP_DISK_CACHE_UNWRITABLE,
        "a kernel is not cached: %s cannot be written: %s", name,
        g_strerror (errno));
  }
  close (dirfd);
}
