/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* The host device's command ring against a plain queue: commands of random
 * sizes, pushed and popped at random, come out in order, aligned, whole, and
 * do not move while they are looked at. The seed is printed;
 * GST_HIP_TEST_SEED sets it.
 */
#include <stdlib.h>

#include "host-common.h"

/* Number and size in front, filled up with bytes that follow from them */
typedef struct
{
  guint32 number, size;
} Head;

static void
write_command (guint8 * place, guint32 number, guint32 size)
{
  Head head = { number, size };
  guint i;

  memcpy (place, &head, sizeof (head));
  for (i = sizeof (head); i < size; i++)
    place[i] = (guint8) (number * 7 + i);
}

static void
check_command (const guint8 * place, guint32 number, guint32 size)
{
  Head head;
  guint i;

  memcpy (&head, place, sizeof (head));
  if (head.number != number || head.size != size)
    fail ("command %u of %u bytes instead of %u of %u", head.number, head.size,
        number, size);
  if ((guintptr) place % HOST_RING_CELL)
    fail ("%p is not aligned", place);
  for (i = sizeof (head); i < size; i++) {
    if (place[i] != (guint8) (number * 7 + i))
      fail ("byte %u of command %u", i, number);
  }
}

static guint32
get_seed (void)
{
  const gchar *text = g_getenv ("GST_HIP_TEST_SEED");
  guint32 seed = text ? (guint32) strtoul (text, NULL, 0) : g_random_int ();

  g_print ("GST_HIP_TEST_SEED=%u\n", seed);
  return seed;
}

GST_START_TEST (test_random)
{
  GRand *random = g_rand_new_with_seed (get_seed ());
  guint round;

  for (round = 0; round < 60; round++) {
    /* Some rounds stay nearly empty and wrap around, some grow. */
    guint push_percent = (guint) g_rand_int_range (random, 35, 70);
    gint max_size = g_rand_boolean (random) ? 300 : 5000;
    GQueue sizes = G_QUEUE_INIT;
    guint32 pushed = 0, popped = 0;
    guint8 *looked_at = NULL;
    HostRing ring;
    guint step;

    fail_unless (host_ring_init (&ring));
    fail_unless (host_ring_peek (&ring) == NULL);
    for (step = 0; step < 3000; step++) {
      guint8 *place = host_ring_peek (&ring);

      if ((place == NULL) != g_queue_is_empty (&sizes))
        fail ("%u pushed, %u popped", pushed, popped);
      if (looked_at && place != looked_at)
        fail ("command %u has moved", popped);
      looked_at = place;
      if (place)
        check_command (place, popped,
            GPOINTER_TO_UINT (g_queue_peek_head (&sizes)));

      if ((guint) g_rand_int_range (random, 0, 100) < push_percent) {
        guint32 size = (guint32) g_rand_int_range (random, sizeof (Head),
            max_size);

        place = host_ring_reserve (&ring, size);
        fail_unless (place != NULL);
        write_command (place, pushed, size);
        /* A reservation that is given up leaves nothing. */
        if (g_rand_int_range (random, 0, 10) == 0)
          continue;
        host_ring_push (&ring);
        g_queue_push_tail (&sizes, GUINT_TO_POINTER (size));
        pushed++;
      } else if (place) {
        host_ring_pop (&ring);
        g_queue_pop_head (&sizes);
        popped++;
        looked_at = NULL;
      }
    }
    fail_unless (popped > 0);
    host_ring_clear (&ring);
    g_queue_clear (&sizes);
  }

  g_rand_free (random);
}

GST_END_TEST;

/* Steady state: no more memory however many pass through */
GST_START_TEST (test_does_not_grow)
{
  HostRing ring;
  HostChunk *chunk;
  guint i;

  fail_unless (host_ring_init (&ring));
  chunk = ring.write;
  for (i = 0; i < 10000; i++) {
    write_command (host_ring_reserve (&ring, 8 + i % 1000), i, 8 + i % 1000);
    host_ring_push (&ring);
    check_command (host_ring_peek (&ring), i, 8 + i % 1000);
    host_ring_pop (&ring);
    if (ring.write != chunk || ring.read != chunk)
      fail ("grew at command %u", i);
  }
  host_ring_clear (&ring);
}

GST_END_TEST;

static Suite *
host_ring_suite (void)
{
  Suite *s = suite_create ("host-ring");
  TCase *tc = tcase_create ("general");

  suite_add_tcase (s, tc);
  tcase_add_test (tc, test_random);
  tcase_add_test (tc, test_does_not_grow);

  return s;
}

GST_CHECK_MAIN (host_ring);
