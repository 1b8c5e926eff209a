#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
# SPDX-FileCopyrightText: GstHip contributors
"""Writes the models of the tests into a folder: models.py FOLDER STAMP.

Each is as small as what it is for allows. Where a model's outputs are its input
in another shape or type, a test knows them without a runtime.
"""

import os
import sys

import numpy as np
import onnx
from onnx import TensorProto as T
from onnx import helper as h
from onnx import numpy_helper

FOLDER = sys.argv[1]
INFO_TYPES = {T.FLOAT: 'float32', T.FLOAT16: 'float16', T.BFLOAT16: 'bfloat16', T.DOUBLE: 'float64',
              T.UINT8: 'uint8', T.INT8: 'int8', T.INT32: 'int32', T.INT64: 'int64', T.STRING: 'string'}


def value(name, kind, dims):
    return h.make_tensor_value_info(name, kind, dims)


def save(name, nodes, inputs, outputs, initializers=(), metadata=None, check=True):
    graph = h.make_graph(nodes, 'graph', inputs, outputs, list(initializers))
    model = h.make_model(graph, opset_imports=[h.make_opsetid('', 17)], ir_version=8)
    if metadata:
        h.set_model_props(model, metadata)
    if check:
        onnx.checker.check_model(model)
    onnx.save(model, os.path.join(FOLDER, name + '.onnx'))


def info(name, tensors, group='group', version='1.0'):
    """tensors: (name, id, type, dims, dir[, lines])"""
    with open(os.path.join(FOLDER, name + '.onnx.modelinfo'), 'w', encoding='utf-8') as file:
        file.write(f'[modelinfo]\nversion={version}\ngroup-id={name}-{group}\n')
        for tensor, ident, kind, dims, way, *more in tensors:
            dims = ','.join(str(d) for d in dims)
            file.write(f'\n[{tensor}]\nid={ident}\ntype={INFO_TYPES[kind]}\ndims={dims}\ndir={way}\n')
            for line in more:
                file.write(line + '\n')


def reshape(kind_in, dims_in, kind_out, dims_out, name, ranges='0.0,255.0', with_info=True):
    """y is x in another shape and type."""
    nodes, cur = [], 'x'
    if kind_in != kind_out:
        nodes.append(h.make_node('Cast', [cur], ['cast'], to=kind_out))
        cur = 'cast'
    target = [d if isinstance(d, int) else -1 for d in dims_out]
    shape = [numpy_helper.from_array(np.array(target, np.int64), 'shape')]
    if dims_in == dims_out:
        nodes.append(h.make_node('Identity', [cur], ['y']))
        shape = []
    else:
        nodes.append(h.make_node('Reshape', [cur, 'shape'], ['y']))
    save(name, nodes, [value('x', kind_in, dims_in)], [value('y', kind_out, dims_out)], shape)
    if with_info:
        wild = [d if isinstance(d, int) else -1 for d in dims_in]
        more = [f'ranges={ranges}'] if ranges else []
        info(name, [('x', 'input-0', kind_in, wild, 'input', *more),
                    ('y', 'output-0', kind_out, target, 'output')])


def identity(name, kind, dims, out=None, **args):
    reshape(kind, dims, out or kind, dims, name, **args)


# What GStreamer's own element is tested with
reshape(T.FLOAT, [1, 4, 4, 3], T.FLOAT, [1, 48], 'flatten-float32')
reshape(T.UINT8, [1, 4, 4, 3], T.FLOAT, [1, 48], 'flatten-uint8')
reshape(T.FLOAT, [3, 4, 4], T.FLOAT, [3, 16], 'flatten-3d')
reshape(T.FLOAT, [1, 1, 4, 4], T.FLOAT, [1, 16], 'flatten-gray')
reshape(T.FLOAT, ['n', 4, 4, 3], T.FLOAT, ['n', 48], 'dynamic-batch')
identity('planar', T.FLOAT, [1, 3, 4, 4])
identity('int32-out', T.FLOAT, [1, 4, 4, 3], T.INT32)
identity('uint8-out', T.FLOAT, [1, 4, 4, 3], T.UINT8)
identity('float64-out', T.FLOAT, [1, 4, 4, 3], T.DOUBLE)
identity('bad-1d', T.FLOAT, [48])
identity('bad-5d', T.FLOAT, [1, 2, 2, 2, 3])
identity('bad-channels', T.FLOAT, [1, 4, 4, 2])

save('two-outputs', [h.make_node('Reshape', ['x', 'flat'], ['y']),
                     h.make_node('Transpose', ['x'], ['t'], perm=[0, 3, 1, 2]),
                     h.make_node('Reshape', ['t', 'chw'], ['z'])],
     [value('x', T.FLOAT, [1, 4, 4, 3])],
     [value('y', T.FLOAT, [1, 48]), value('z', T.FLOAT, [1, 3, 16])],
     [numpy_helper.from_array(np.array([1, 48], np.int64), 'flat'),
      numpy_helper.from_array(np.array([1, 3, 16], np.int64), 'chw')])
info('two-outputs', [('x', 'input-0', T.FLOAT, [1, 4, 4, 3], 'input', 'ranges=0,255'),
                     ('y', 'output-0', T.FLOAT, [1, 48], 'output'),
                     ('z', 'output-1', T.FLOAT, [1, 3, 16], 'output', 'dims-order=col-major')])

save('two-inputs', [h.make_node('Add', ['a', 'b'], ['y'])],
     [value('a', T.FLOAT, [1, 4, 4, 3]), value('b', T.FLOAT, [1, 4, 4, 3])],
     [value('y', T.FLOAT, [1, 4, 4, 3])])

# Types and layouts of the picture, without a model-info
for label, kind in (('float32', T.FLOAT), ('float16', T.FLOAT16), ('uint8', T.UINT8), ('int8', T.INT8)):
    for layout, dims in (('nchw', ['n', 3, 'h', 'w']), ('nhwc', ['n', 'h', 'w', 3]),
                         ('gray', ['n', 1, 'h', 'w']), ('rgba', ['n', 'h', 'w', 4])):
        identity(f'any-{label}-{layout}', kind, dims, with_info=False)
# ONNX Runtime has no operator for bfloat16 on the CPU but casts
save('any-bfloat16-nchw', [h.make_node('Cast', ['x'], ['y'], to=T.FLOAT)],
     [value('x', T.BFLOAT16, ['n', 3, 'h', 'w'])], [value('y', T.FLOAT, ['n', 3, 'h', 'w'])])
save('flat', [h.make_node('Identity', ['x'], ['y'])],
     [value('x', T.FLOAT, ['h', 'w'])], [value('y', T.FLOAT, ['h', 'w'])])
save('wide', [h.make_node('Identity', ['x'], ['y'])],
     [value('x', T.FLOAT, [1, 3, 6, 10])], [value('y', T.FLOAT, [1, 3, 6, 10])])

# A picture and something else
save('scaled', [h.make_node('Mul', ['image', 'factor'], ['y'])],
     [value('image', T.FLOAT, [1, 3, 'h', 'w']), value('factor', T.FLOAT, [1])],
     [value('y', T.FLOAT, [1, 3, 'h', 'w'])])
save('image-size', [h.make_node('Identity', ['image'], ['y']),
                    h.make_node('Identity', ['size'], ['z'])],
     [value('image', T.UINT8, [1, 'h', 'w', 3]), value('size', T.INT64, [1, 2])],
     [value('y', T.UINT8, [1, 'h', 'w', 3]), value('z', T.INT64, [1, 2])])

# Shapes and types of outputs
save('scalar', [h.make_node('ReduceMean', ['x'], ['y'], keepdims=0)],
     [value('x', T.FLOAT, [1, 3, 'h', 'w'])], [value('y', T.FLOAT, [])])
# How many there are depends on the picture; of a black one there are none.
save('positions', [h.make_node('NonZero', ['x'], ['y'])],
     [value('x', T.FLOAT, [1, 1, 'h', 'w'])], [value('y', T.INT64, [4, 'n'])])
save('string-out', [h.make_node('Cast', ['x'], ['y'], to=T.STRING)],
     [value('x', T.FLOAT, [1, 3, 4, 4])], [value('y', T.STRING, [1, 3, 4, 4])])
save('bool-out', [h.make_node('Cast', ['x'], ['y'], to=T.BOOL)],
     [value('x', T.FLOAT, [1, 3, 4, 4])], [value('y', T.BOOL, [1, 3, 4, 4])])
sequence = h.make_tensor_sequence_value_info('y', T.FLOAT, None)
save('sequence-out', [h.make_node('SequenceConstruct', ['x'], ['y'])],
     [value('x', T.FLOAT, [1, 3, 4, 4])], [sequence])

# What cannot be
save('string-in', [h.make_node('Identity', ['x'], ['y'])],
     [value('x', T.STRING, [1, 3, 4, 4])], [value('y', T.STRING, [1, 3, 4, 4])])
save('float64-in', [h.make_node('Identity', ['x'], ['y'])],
     [value('x', T.DOUBLE, [1, 3, 4, 4])], [value('y', T.DOUBLE, [1, 3, 4, 4])])
save('no-input', [h.make_node('Constant', [], ['y'], value=numpy_helper.from_array(
    np.zeros((1, 3), np.float32), 'zero'))], [], [value('y', T.FLOAT, [1, 3])])
save('huge', [h.make_node('Identity', ['x'], ['y'])],
     [value('x', T.FLOAT, [1, 3, 1000000, 1000000])], [value('y', T.FLOAT, [1, 3, 1000000, 1000000])])
save('too-wide', [h.make_node('Identity', ['x'], ['y'])],
     [value('x', T.FLOAT, [1, 3, 4, 1 << 40])], [value('y', T.FLOAT, [1, 3, 4, 1 << 40])])
save('unknown-operator', [h.make_node('Dream', ['x'], ['y'], domain='nowhere')],
     [value('x', T.FLOAT, [1, 3, 4, 4])], [value('y', T.FLOAT, [1, 3, 4, 4])], check=False)
with open(os.path.join(FOLDER, 'corrupt.onnx'), 'wb') as file:
    file.write(b'this is no model at all')
with open(os.path.join(FOLDER, 'empty.onnx'), 'wb') as file:
    pass

# Batches: each picture's mean, so that slices can be told apart
save('batch-of-4', [h.make_node('ReduceMean', ['x'], ['y'], axes=[1, 2, 3], keepdims=0)],
     [value('x', T.FLOAT, [4, 3, 'h', 'w'])], [value('y', T.FLOAT, [4])])
# What is in the pictures beside those of frames shows in every result.
save('batch-mixed', [h.make_node('Cast', ['x'], ['numbers'], to=T.FLOAT),
                     h.make_node('ReduceMean', ['numbers'], ['mean'], axes=[0, 1, 2, 3], keepdims=0),
                     h.make_node('Expand', ['mean', 'four'], ['y'])],
     [value('x', T.UINT8, [4, 3, 'h', 'w'])], [value('y', T.FLOAT, [4])],
     [numpy_helper.from_array(np.array([4], np.int64), 'four')])
save('batch-any', [h.make_node('ReduceMean', ['x'], ['y'], axes=[2, 3], keepdims=0)],
     [value('x', T.FLOAT, ['n', 3, 'h', 'w'])], [value('y', T.FLOAT, ['n', 3])],
     metadata={'gst-tensor-id:y': 'means'})

# A network that computes: convolutions, a mean, classes. It shows its input, too, so
# that a runtime can be asked directly what it makes of that.
rng = np.random.default_rng(3)
weights = {name: (rng.standard_normal(dims) * .3).astype(np.float32)
           for name, dims in (('w1', (8, 3, 3, 3)), ('b1', (8,)), ('w2', (6, 8, 3, 3)), ('b2', (6,)),
                              ('w3', (6, 5)), ('b3', (5,)))}
save('network', [h.make_node('Identity', ['x'], ['seen']),
                 h.make_node('Conv', ['x', 'w1', 'b1'], ['c1'], pads=[1, 1, 1, 1], strides=[2, 2]),
                 h.make_node('Relu', ['c1'], ['r1']),
                 h.make_node('Conv', ['r1', 'w2', 'b2'], ['map'], pads=[1, 1, 1, 1]),
                 h.make_node('GlobalAveragePool', ['map'], ['pool']),
                 h.make_node('Flatten', ['pool'], ['flat']),
                 h.make_node('Gemm', ['flat', 'w3', 'b3'], ['sums']),
                 h.make_node('Softmax', ['sums'], ['classes'])],
     [value('x', T.FLOAT, ['n', 3, 24, 32])],
     [value('seen', T.FLOAT, ['n', 3, 24, 32]), value('map', T.FLOAT, ['n', 6, 12, 16]),
      value('classes', T.FLOAT, ['n', 5])],
     [numpy_helper.from_array(array, name) for name, array in weights.items()])

# Takes its time: a loop of products of matrices, as often as the picture's size is not
# zero. Its output is the picture's mean.
SIZE, ROUNDS = 256, 60
rng = np.random.default_rng(1)
nodes, last = [h.make_node('ReduceMean', ['x'], ['mean'], axes=[1, 2, 3], keepdims=1),
               h.make_node('Reshape', ['mean', 'one'], ['scalar']),
               h.make_node('Mul', ['matrix', 'scalar'], ['m0'])], 'm0'
for i in range(ROUNDS):
    nodes.append(h.make_node('MatMul', [last, 'matrix'], [f'm{i + 1}']))
    last = f'm{i + 1}'
nodes += [h.make_node('ReduceSum', [last], ['sum'], keepdims=0),
          h.make_node('Mul', ['sum', 'zero'], ['nothing']),
          h.make_node('Add', ['nothing', 'scalar'], ['y'])]
q = np.linalg.qr(rng.standard_normal((SIZE, SIZE)))[0].astype(np.float32)
save('slow', nodes, [value('x', T.FLOAT, [1, 3, 'h', 'w'])], [value('y', T.FLOAT, [1])],
     [numpy_helper.from_array(q, 'matrix'),
      numpy_helper.from_array(np.array([1], np.int64), 'one'),
      numpy_helper.from_array(np.array(0, np.float32), 'zero')])

# Model-infos that are wrong
for name, tensors, version in (
        ('info-dims', [('x', 'a', T.FLOAT, [1, 3, 5, 4], 'input')], '1.0'),
        ('info-type', [('x', 'a', T.UINT8, [1, 3, 4, 4], 'input')], '1.0'),
        ('info-direction', [('x', 'a', T.FLOAT, [1, 3, 4, 4], 'output')], '1.0'),
        ('info-other', [('x', 'a', T.FLOAT, [1, 3, 4, 4], 'input'),
                        ('z', 'b', T.FLOAT, [1, 7], 'output')], '1.0'),
        ('info-version', [('x', 'a', T.FLOAT, [1, 3, 4, 4], 'input')], '2.0'),
        ('info-ranges', [('x', 'a', T.FLOAT, [1, 3, 4, 4], 'input', 'ranges=0,1;0')], '1.0'),
        ('info-channels', [('x', 'a', T.FLOAT, [1, 3, 4, 4], 'input', 'ranges=0,1;0,1')], '1.0'),
        ('info-index', [('in', 'by-index', T.FLOAT, [1, 3, 4, 4], 'input'),
                        ('out', 'by-index-too', T.FLOAT, [1, 3, 4, 4], 'output')], '1.0'),
        ('info-no-ranges', [('x', 'a', T.FLOAT, [1, 3, 4, 4], 'input')], '1.0'),
        ('info-one-range', [('x', 'a', T.FLOAT, [1, 3, 4, 4], 'input', 'ranges=-1,1')], '1.0'),
        ('info-three-ranges', [('x', 'a', T.FLOAT, [1, 3, 4, 4], 'input',
                                'ranges=0,255;0,1;-1,1')], '1.0')):
    identity(name, T.FLOAT, [1, 3, 4, 4], with_info=False)
    info(name, tensors, version=version)

with open(sys.argv[2], 'w', encoding='utf-8'):
    pass
