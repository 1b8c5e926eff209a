#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
# SPDX-FileCopyrightText: GstHip contributors
"""Makes the models of the examples and of the demo: models.py FOLDER STAMP.

ball.onnx   finds a bright thing on a dark ground, with the outputs of an SSD
clock.onnx  reads the clock that the demo burns into a clip (tools/demo-clock.h
            has its font and place)

Nothing was trained: both are a few operators whose numbers are known.
"""

import os
import re
import sys

import numpy as np
import onnx
from onnx import TensorProto as T
from onnx import helper as h
from onnx import numpy_helper

FOLDER, STAMP = sys.argv[1], sys.argv[2]
CLOCK = os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'tools', 'demo-clock.h')


def constant(name, array):
    return numpy_helper.from_array(np.asarray(array), name)


def value(name, kind, dims):
    return h.make_tensor_value_info(name, kind, dims)


def save(name, nodes, inputs, outputs, constants, ids=None):
    graph = h.make_graph(nodes, name, inputs, outputs, constants)
    model = h.make_model(graph, opset_imports=[h.make_opsetid('', 13)], ir_version=8)
    h.set_model_props(model, {f'gst-tensor-id:{k}': v for k, v in (ids or {}).items()})
    onnx.checker.check_model(model)
    onnx.save(model, os.path.join(FOLDER, name + '.onnx'))


def ball(size=160):
    """Where along each direction is anything bright? The first and the last such
    place are the box, in parts of the picture."""
    nodes, ends = [], []
    for way, axes in (('y', [1, 3]), ('x', [1, 2])):
        nodes += [h.make_node('ReduceMax', ['picture'], [f'{way}-max'], axes=axes, keepdims=0),
                  h.make_node('Greater', [f'{way}-max', 'half'], [f'{way}-bright']),
                  h.make_node('Cast', [f'{way}-bright'], [f'{way}-mask'], to=T.FLOAT)]
        for end, last in (('first', 0), ('last', 1)):
            nodes += [h.make_node('ArgMax', [f'{way}-mask'], [f'{way}-{end}-at'], axis=1, keepdims=1,
                                  select_last_index=last),
                      h.make_node('Cast', [f'{way}-{end}-at'], [f'{way}-{end}-float'], to=T.FLOAT)]
            name = f'{way}-{end}-float'
            if last:
                nodes.append(h.make_node('Add', [name, 'one'], [f'{way}-{end}-edge']))
                name = f'{way}-{end}-edge'
            nodes.append(h.make_node('Div', [name, 'size'], [f'{way}-{end}']))
            ends.append(f'{way}-{end}')
    order = ['y-first', 'x-first', 'y-last', 'x-last']
    assert sorted(order) == sorted(ends)
    nodes += [h.make_node('Concat', order, ['corners'], axis=1),
              h.make_node('Reshape', ['corners', 'one-box'], ['boxes']),
              h.make_node('ReduceMax', ['picture'], ['brightest'], axes=[1, 2, 3], keepdims=0),
              h.make_node('Reshape', ['brightest', 'one-number'], ['scores']),
              h.make_node('Mul', ['scores', 'zero'], ['classes']),
              h.make_node('Identity', ['count-one'], ['count'])]
    f = np.float32
    save('ball', nodes, [value('picture', T.FLOAT, [1, 1, size, size])],
         [value('boxes', T.FLOAT, [1, 1, 4]), value('classes', T.FLOAT, [1, 1]),
          value('scores', T.FLOAT, [1, 1]), value('count', T.FLOAT, [1])],
         [constant('half', f(0.5)), constant('one', f(1)), constant('size', f(size)),
          constant('zero', f(0)), constant('count-one', np.array([1], f)),
          constant('one-box', np.array([1, 1, 4], np.int64)),
          constant('one-number', np.array([1, 1], np.int64))],
         {'boxes': 'Gst.Model.ObjectDetector.Boxes', 'classes': 'Gst.Model.ObjectDetector.Classes',
          'scores': 'Gst.Model.ObjectDetector.Scores', 'count': 'Gst.Model.ObjectDetector.NumDetections'})


def clock():
    """A convolution with each character's picture, moved from place to place: the
    one that fits best is the character."""
    with open(CLOCK, encoding='utf-8') as file:
        text = file.read()

    def number(name):
        return int(re.search(rf'#define DEMO_CLOCK_{name} (\d+)', text).group(1))

    left, top, scale = number('LEFT'), number('TOP'), number('SCALE')
    columns, rows, length = number('COLUMNS'), number('ROWS'), number('LENGTH')
    glyphs = re.findall(r'\{ \'(.)\', \{ ([^}]*) \} \}', text)
    pictures = []
    for _, bits in glyphs:
        lines = [int(b, 16) for b in bits.split(',')]
        dots = np.array([[line >> (columns - 1 - x) & 1 for x in range(columns)] for line in lines])
        dots = np.kron(dots, np.ones((scale, scale))).astype(np.float32)
        dots -= dots.mean()
        pictures.append(dots / np.sqrt((dots ** 2).sum()))
    weights = np.stack(pictures)[:, None]
    cell_w, cell_h = columns * scale, rows * scale
    nodes = [h.make_node('Slice', ['picture', 'from', 'to', 'axes'], ['strip']),
             h.make_node('Conv', ['strip', 'weights'], ['fits'], kernel_shape=[cell_h, cell_w],
                         strides=[cell_h, cell_w]),
             h.make_node('ArgMax', ['fits'], ['best'], axis=1, keepdims=0),
             h.make_node('Reshape', ['best', 'line'], ['characters'])]
    i = np.int64
    save('clock', nodes, [value('picture', T.FLOAT, [1, 1, 'height', 'width'])],
         [value('characters', T.INT64, [1, length])],
         [constant('from', np.array([top, left], i)),
          constant('to', np.array([top + cell_h, left + cell_w * length], i)),
          constant('axes', np.array([2, 3], i)), constant('weights', weights),
          constant('line', np.array([1, length], i))])


ball()
clock()
with open(STAMP, 'w', encoding='utf-8'):
    pass
