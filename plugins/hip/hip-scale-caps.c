/* SPDX-License-Identifier: LGPL-2.1-or-later
 * SPDX-FileCopyrightText: GstHip contributors
 */
/* Which size do scaled frames have? Knows caps only. Invariant: the picture
 * keeps its shape on the display where the other side leaves enough open;
 * where there is more than one way, it is videoscale's.
 */
#include "config.h"

#include "hip-scale-caps.h"

void
hip_scale_caps_open (GstStructure * structure)
{
  gst_structure_set (structure, "width", GST_TYPE_INT_RANGE, 1, G_MAXINT,
      "height", GST_TYPE_INT_RANGE, 1, G_MAXINT, NULL);
  if (gst_structure_has_field (structure, "pixel-aspect-ratio"))
    gst_structure_set (structure, "pixel-aspect-ratio",
        GST_TYPE_FRACTION_RANGE, 1, G_MAXINT, G_MAXINT, 1, NULL);
}

/* A choice of the three, and how far it is from the shape that is wanted */
typedef struct
{
  gint width, height;
  gint par_n, par_d;
  gdouble error;
} Choice;

typedef struct
{
  const GstStructure *others;
  gint width, height, par_n, par_d;     /* of the frame, as it is seen from the other side */
  gint dar_n, dar_d;
  gboolean width_fixed, height_fixed, par_fixed;
} Wish;

/* What the other side takes that is nearest */
static gint
nearest_int (const Wish * wish, const gchar * name, gint value)
{
  GstStructure *copy = gst_structure_copy (wish->others);
  gint result = value;

  gst_structure_fixate_field_nearest_int (copy, name, value);
  gst_structure_get_int (copy, name, &result);
  gst_structure_free (copy);
  return result;
}

static void
nearest_par (const Wish * wish, gint n, gint d, Choice * choice)
{
  GstStructure *copy = gst_structure_copy (wish->others);

  if (gst_structure_has_field (copy, "pixel-aspect-ratio"))
    gst_structure_fixate_field_nearest_fraction (copy, "pixel-aspect-ratio", n,
        d);
  choice->par_n = choice->par_d = 1;
  gst_structure_get_fraction (copy, "pixel-aspect-ratio", &choice->par_n,
      &choice->par_d);
  gst_structure_free (copy);
}

/* a / b * c / d; FALSE: too large */
static gboolean
multiply (gint a, gint b, gint c, gint d, gint * n, gint * m)
{
  return gst_util_fraction_multiply (a, b, c, d, n, m);
}

/* The width that goes with a height, and the other way round */
static gint
get_width (const Wish * wish, const Choice * c)
{
  gint n, d;

  if (!multiply (wish->dar_n, wish->dar_d, c->par_d, c->par_n, &n, &d))
    return wish->width;
  return gst_util_uint64_scale_int_round (c->height, n, d);
}

static gint
get_height (const Wish * wish, const Choice * c)
{
  gint n, d;

  if (!multiply (wish->dar_d, wish->dar_n, c->par_n, c->par_d, &n, &d))
    return wish->height;
  return gst_util_uint64_scale_int_round (c->width, n, d);
}

static void
set_par (const Wish * wish, Choice * c)
{
  gint n, d;

  if (multiply (wish->dar_n, wish->dar_d, c->height, c->width, &n, &d))
    nearest_par (wish, n, d, c);
  else
    nearest_par (wish, 1, 1, c);
}

static void
weigh (const Wish * wish, Choice * c)
{
  gdouble shape = (gdouble) c->width / c->height * c->par_n / c->par_d;
  gdouble wanted = (gdouble) wish->dar_n / wish->dar_d;

  c->error = ABS (shape / wanted - 1);
}

/* Both sizes as they are, and pixels of what shape it takes */
static void
keep_size (const Wish * wish, Choice * c)
{
  c->width = nearest_int (wish, "width", wish->width);
  c->height = nearest_int (wish, "height", wish->height);
  set_par (wish, c);
  weigh (wish, c);
}

static void
keep_height (const Wish * wish, gboolean adapt_par, Choice * c)
{
  c->height = nearest_int (wish, "height", wish->height);
  nearest_par (wish, wish->par_n, wish->par_d, c);
  c->width = nearest_int (wish, "width", get_width (wish, c));
  if (adapt_par)
    set_par (wish, c);
  weigh (wish, c);
}

static void
keep_width (const Wish * wish, gboolean adapt_par, Choice * c)
{
  c->width = nearest_int (wish, "width", wish->width);
  nearest_par (wish, wish->par_n, wish->par_d, c);
  c->height = nearest_int (wish, "height", get_height (wish, c));
  if (adapt_par)
    set_par (wish, c);
  weigh (wish, c);
}

/* The first that is exact, to a pixel's rounding, else the first of the nearest */
static Choice
choose (const Wish * wish)
{
  Choice c[5];
  guint n = 0, best = 0;

  if (!wish->par_fixed || (wish->width_fixed && wish->height_fixed))
    keep_size (wish, &c[n++]);
  if (!wish->width_fixed) {
    keep_height (wish, FALSE, &c[n++]);
    keep_height (wish, TRUE, &c[n++]);
  }
  if (!wish->height_fixed) {
    keep_width (wish, FALSE, &c[n++]);
    keep_width (wish, TRUE, &c[n++]);
  }
  for (guint i = 0; i < n; i++) {
    gdouble rounding = 0.5 / MIN (c[i].width, c[i].height);

    if (c[i].error <= rounding)
      return c[i];
    if (c[i].error < c[best].error)
      best = i;
  }
  return c[best];
}

static gboolean
is_fixed (const GstStructure * structure, const gchar * name)
{
  const GValue *value = gst_structure_get_value (structure, name);

  return !value || gst_value_is_fixed (value);
}

void
hip_scale_caps_fixate (GstCaps * caps, GstCaps * others, gboolean turned)
{
  const GstStructure *from = gst_caps_get_structure (caps, 0);
  GstStructure *to = gst_caps_get_structure (others, 0);
  gboolean said = gst_structure_has_field (to, "pixel-aspect-ratio");
  Wish wish = { to, 0, 0, 1, 1 };
  Choice choice;

  if (!gst_structure_get_int (from, "width", &wish.width)
      || !gst_structure_get_int (from, "height", &wish.height)
      || wish.width < 1 || wish.height < 1)
    return;
  gst_structure_get_fraction (from, "pixel-aspect-ratio", &wish.par_n,
      &wish.par_d);
  if (wish.par_n < 1 || wish.par_d < 1)
    wish.par_n = wish.par_d = 1;
  if (turned) {
    gint width = wish.width, n = wish.par_n;

    wish.width = wish.height;
    wish.height = width;
    wish.par_n = wish.par_d;
    wish.par_d = n;
  }
  if (!multiply (wish.width, wish.height, wish.par_n, wish.par_d, &wish.dar_n,
          &wish.dar_d))
    return;
  /* Whoever says nothing of it takes pixels of every shape. */
  if (!said)
    gst_structure_set (to, "pixel-aspect-ratio", GST_TYPE_FRACTION_RANGE, 1,
        G_MAXINT, G_MAXINT, 1, NULL);
  wish.width_fixed = is_fixed (to, "width");
  wish.height_fixed = is_fixed (to, "height");
  wish.par_fixed = is_fixed (to, "pixel-aspect-ratio");
  choice = choose (&wish);
  gst_structure_set (to, "width", G_TYPE_INT, choice.width, "height",
      G_TYPE_INT, choice.height, NULL);
  if (said || choice.par_n != choice.par_d)
    gst_structure_set (to, "pixel-aspect-ratio", GST_TYPE_FRACTION,
        choice.par_n, choice.par_d, NULL);
  else
    gst_structure_remove_field (to, "pixel-aspect-ratio");
}
