#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
# SPDX-FileCopyrightText: GstHip contributors
"""Does each race test fail without the wait that it guards?

Takes one wait, or one other thing that an invariant rests on, out of one source
file, links the test program with that file in place of the right one, and runs
the one case that has to fail then. Each case also runs with nothing taken out,
and has to pass. A case that hangs has failed: so does a wait that is too much.

mutants.py --list prints the table of README.md.
"""

import concurrent.futures
import json
import os
import shlex
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'headers'))
import tap  # noqa: E402

# Much more than a case takes; what is stopped for longer does not go on by itself.
HANG_S = 10

LIB = 'gst-libs/gst/hip/'
PLUGIN = 'plugins/hip/'
ONNX = 'plugins/onnx/'
LIBRARY, ELEMENTS, DMABUF = 'races/library', 'races/elements', 'races/dmabuf'
IN_FLIGHT = 'races/in-flight'
INFERENCE = 'races/inference'
ORDER, MAP, EVENT = 'unit/memory-order', 'unit/memory-map', 'unit/core-event'
NATIVE = 'unit/memory-native'

CONVERTER_ADDS = '  return gst_hip_kernel_args_add_memory_full (args, memory, offset, flags,\n      error);'


def address_only(flags):
    """The converter's memories of one kind are addresses to the launch, and nothing else."""
    return ('  if (flags == ' + flags + ') {\n'
            '    guint64 at = gst_hip_memory_get_address (GST_HIP_MEMORY_CAST (memory)) + offset;\n'
            '    return gst_hip_kernel_args_add_bytes (args, &at, 8, 8, error);\n'
            '  }\n') + CONVERTER_ADDS


# (invariant, what is gone, file, [(text, instead)], program, case)
MUTANTS = [
    ('I1', 'not waiting for an upload', PLUGIN + 'gsthipupload.c',
     [('hip_frame_copy_end (&dst, &src, event);',
       'hip_frame_copy_end (&dst, &src, event); gst_hip_event_wait (event, NULL);')],
     IN_FLIGHT, 'test_i1_upload_waits_for_max_in_flight_only'),
    ('I1', 'not waiting for a download', PLUGIN + 'gsthipdownload.c',
     [('hip_frame_copy_end (&dst, &src, event);',
       'hip_frame_copy_end (&dst, &src, event); gst_hip_event_wait (event, NULL);')],
     IN_FLIGHT, 'test_i1_download_waits_for_max_in_flight_only'),
    ('I1', 'not waiting for a kernel', PLUGIN + 'gsthipkernel.c',
     [('  gst_hip_base_filter_submit_buffers (filter, event, in, out);\n',
       '  gst_hip_event_wait (event, NULL);\n  gst_hip_base_filter_submit_buffers (filter, event, in, out);\n')],
     IN_FLIGHT, 'test_i1_kernel_waits_for_max_in_flight_only'),
    ('I1', 'not waiting for a conversion', PLUGIN + 'gsthipconvertbase.c',
     [('  gst_hip_base_filter_submit_buffers (filter, event, in, out);\n',
       '  gst_hip_event_wait (event, NULL);\n  gst_hip_base_filter_submit_buffers (filter, event, in, out);\n')],
     IN_FLIGHT, 'test_i1_convert_waits_for_max_in_flight_only'),
    ('I1', 'the limit of frames in flight', PLUGIN + 'gsthipbasefilter.c',
     [('hip_in_flight_wait_room (priv->in_flight, max)',
       'hip_in_flight_wait_room (priv->in_flight, 0 * max)')],
     IN_FLIGHT, 'test_i1_upload_waits_for_max_in_flight_only'),
    ('I1', 'waking the wait for room when flushing', PLUGIN + 'hip-in-flight.c',
     [('self->flushing = flushing;\n  g_cond_broadcast (&self->finished_cond);',
       'self->flushing = flushing;')],
     IN_FLIGHT, 'test_i1_flush_ends_the_wait'),
    ('I1', 'remembering what was told while nobody could hear', PLUGIN + 'hip-in-flight.c',
     [(' && self->news == seen', '')],
     IN_FLIGHT, 'test_i1_what_is_told_while_it_looks_wakes'),
    ('I1', 'flushing when going to READY', PLUGIN + 'gsthipbasefilter.c',
     [('else if (transition == GST_STATE_CHANGE_PAUSED_TO_READY)', 'else if (0)')],
     IN_FLIGHT, 'test_i1_state_change_ends_the_wait'),

    ('I2', 'the wait on the device', LIB + 'hip-memory-access.c',
     [('ordered =\n        gst_hip_stream_wait_event (stream, hip_event_set_get (&set, i), error);',
       'ordered = TRUE;')],
     LIBRARY, 'test_i2_kernel_reads_after_kernel_wrote'),
    ('I2', 'the one context of all device objects', LIB + 'hip-context.c',
     [('    if (context->backend == backend && context->primary', '    if (0 && context->primary'),
      ('    if (other->backend == context->backend', '    if (0')],
     LIBRARY, 'test_i2_kernel_reads_after_kernel_wrote'),
    ('I2', 'the last writer, for readers', LIB + 'hip-memory-access.c',
     [('  set_add_access (set, &priv->writer, stream);\n', '')],
     LIBRARY, 'test_i2_kernel_reads_after_kernel_wrote'),
    ('I2', 'the last writer, for writers', LIB + 'hip-memory-access.c',
     [('  set_add_access (set, &priv->writer, stream);\n', '')],
     LIBRARY, 'test_i2_kernel_writes_after_kernel_wrote'),
    ('I2', 'the readers, for writers', LIB + 'hip-memory-access.c',
     [('    for (i = 0; i < priv->n_readers; i++)\n      set_add_access',
       '    for (i = 0; i < 0; i++)\n      set_add_access')],
     LIBRARY, 'test_i2_kernel_writes_after_kernel_read'),
    ('I2', 'the readers beyond the first few', LIB + 'hip-memory-access.c',
     [('i < priv->more_readers->len; i++)\n      set_add_access', 'i < 0; i++)\n      set_add_access')],
     ORDER, 'test_many_readers'),
    ('I2', 'remembering readers', LIB + 'hip-memory-access.c',
     [('    add_reader (priv, event, serial, &dropped);\n  }\n', '    (void) add_reader;\n  }\n')],
     ORDER, 'test_write_after_read'),
    ('I2', 'remembering a reader that set_event () passes', LIB + 'hip-memory-access.c',
     [('  replace (&priv->writer, event, serial, &dropped);\n  hip_mutex_unlock',
       '  replace (&priv->writer, event, serial, &dropped);\n'
       '  drop_readers (priv, &dropped);\n  hip_mutex_unlock')],
     ORDER, 'test_set_event'),
    ('I2', 'how far a later event tells of its stream', LIB + 'hip-worker.c',
     [('while (passed < n_records', 'n_records += 2;\n  while (passed < n_records')],
     EVENT, 'test_later_one_tells_of_earlier_ones'),
    ('I2', 'the stream of which a later event tells', LIB + 'hip-event.c',
     [('event->record.end <= hip_lane_get_passed (event->lane)', '1')],
     EVENT, 'test_later_one_tells_of_earlier_ones'),
    ('I2', "the wait of another library's stream", LIB + 'gsthipmemorynative.c',
     [('queued = context->backend->native_wait_event (context->native, stream,\n'
       '        hip_event_get_native (event), &failure);', 'queued = TRUE;')],
     NATIVE, 'test_theirs_after_ours'),
    ('I2', 'what another library queued', LIB + 'gsthipmemorynative.c',
     [('  hip_memory_note_access (mem->priv, event, flags);\n', '')],
     NATIVE, 'test_ours_after_theirs'),
    ('I2', 'a launch as a use of its memories', LIB + 'gsthipmodulelaunch.c',
     [('if (!gst_hip_memory_begin_access (access[i].memory, stream,\n'
       '            access[i].flags, error))', 'if (0)')],
     LIBRARY, 'test_i2_kernel_reads_after_kernel_wrote'),
    ('I2', "a launch's dependencies", LIB + 'gsthipmodulelaunch.c',
     [('    guint j;\n\n    if (hip_memory_get_context',
       '    guint j;\n\n    if (use[i].arg < 0)\n      continue;\n    if (hip_memory_get_context')],
     LIBRARY, 'test_i2_dependency_is_waited_for'),
    ('I2', "a CPU map's wait", LIB + 'hip-memory-map.c',
     [('done = hip_event_set_wait (&set, error);\n  hip_event_set_clear (&set);\n'
       '  return done ? (gpointer)',
       'done = TRUE;\n  hip_event_set_clear (&set);\n  return done ? (gpointer)')],
     LIBRARY, 'test_i2_cpu_reads_after_kernel_wrote'),
    ('I2', "a CPU map's wait before it writes", LIB + 'hip-memory-map.c',
     [('done = hip_event_set_wait (&set, error);\n  hip_event_set_clear (&set);\n'
       '  return done ? (gpointer)',
       'done = TRUE;\n  hip_event_set_clear (&set);\n  return done ? (gpointer)')],
     ORDER, 'test_cpu_waits_for_device'),
    ('I2', "a staged map's wait on the device", LIB + 'hip-memory-map.c',
     [('if (!stream || !hip_memory_order (priv, stream, GST_MAP_READ, error)', 'if (!stream')],
     LIBRARY + '-staged', 'test_i2_cpu_reads_after_kernel_wrote'),
    ('I2', "a staged map's wait for its own transfer", LIB + 'hip-memory-map.c',
     [('return gst_hip_event_wait (event, error);', 'return TRUE;')],
     LIBRARY + '-staged', 'test_i2_cpu_reads_after_kernel_wrote'),
    ('I2', 'the wait for an upload from staging', LIB + 'hip-memory-map.c',
     [('((flags & GST_MAP_WRITE) && !wait_for_staging_reader (priv, error))',
       '(0 && !wait_for_staging_reader (priv, error))')],
     MAP, 'test_writing_waits_for_upload'),
    ('I2', 'the order of a map of the device', LIB + 'hip-memory-map.c',
     [('|| !hip_memory_order (priv, stream, GST_MAP_READWRITE, error)', '')],
     ORDER, 'test_device_map_orders_own_stream'),
    ('I2', 'the order of gst_memory_copy ()', LIB + 'hip-memory-copy.c',
     [('!gst_hip_memory_begin_access (src, stream, GST_MAP_READ, error)', '0')],
     ORDER, 'test_copy_is_ordered'),
    ('I2', "a download's wait for the frame", PLUGIN + 'hip-frame-copy.c',
     [('if (!begin_access (src, stream, GST_MAP_READ, error)\n', 'if (0\n')],
     ELEMENTS, 'test_i2_download_comes_after_upload'),
    ('I2', "an upload's wait for the frame before", PLUGIN + 'hip-frame-copy.c',
     [('|| !begin_access (dst, stream, GST_MAP_WRITE, error))', ')')],
     ELEMENTS, 'test_i2_upload_comes_after_download_of_the_frame_before'),
    ('I2', "a kernel's wait for the upload", PLUGIN + 'hip-kernel-launch.c',
     [('  for (guint i = 0; flags && i < places.n_memories; i++)', '  for (guint i = 0; flags && i < 0; i++)')],
     ELEMENTS, 'test_i2_kernel_comes_after_upload'),
    ('I2', 'the kernel as the last writer, for a download', PLUGIN + 'hip-kernel-launch.c',
     [('  for (guint i = 0; flags && i < places.n_memories; i++)', '  for (guint i = 0; flags && i < 0; i++)')],
     ELEMENTS, 'test_i2_download_comes_after_kernel'),
    ('I2', 'the kernel as a reader, for an upload', PLUGIN + 'hip-kernel-launch.c',
     [('  for (guint i = 0; flags && i < places.n_memories; i++)', '  for (guint i = 0; flags && i < 0; i++)')],
     ELEMENTS, 'test_i2_upload_comes_after_kernel_of_the_frame_before'),
    ('I2', 'the conversion as a reader, for an upload', LIB + 'gsthipconverter.c',
     [(CONVERTER_ADDS, address_only('GST_MAP_READ'))],
     ELEMENTS, 'test_i2_upload_comes_after_convert_of_the_frame_before'),
    ('I2', 'the conversion as the last writer, for a download', LIB + 'gsthipconverter.c',
     [(CONVERTER_ADDS, address_only('GST_MAP_WRITE'))],
     ELEMENTS, 'test_i2_download_comes_after_convert'),
    ('I2', 'remembering what a download reads', PLUGIN + 'hip-frame-copy.c',
     [('for (i = 0; !src->planes[0].host && i < src->n_memories; i++)', 'for (i = 0; i < 0; i++)')],
     ELEMENTS, 'test_i2_upload_comes_after_download_of_the_frame_before'),

    ('I1', "not waiting for a DMA-BUF's producer", LIB + 'gsthipdmabuf.c',
     [('  return stream && come_after_producer (priv, stream, error);',
       '  while (hip_fence_is_pending (priv->dmabuf->fd));\n  return stream && come_after_producer (priv, stream, error);')],
     DMABUF, 'test_i2_kernel_comes_after_late_producer'),
    ('I2', "the wait for a DMA-BUF's producer", LIB + 'gsthipdmabuf.c',
     [('  if (!hip_fence_is_pending (priv->dmabuf->fd)) {', '  if (1) {')],
     DMABUF, 'test_i2_kernel_comes_after_late_producer'),
    ('I2', "a DMA-BUF's producer as its writer", LIB + 'gsthipdmabuf.c',
     [('  hip_memory_note_access (priv, event, GST_MAP_WRITE);\n', '')],
     DMABUF, 'test_i2_kernel_comes_after_late_producer'),
    ('I3', 'holding the buffer of a DMA-BUF', PLUGIN + 'hip-import.c',
     [('    hip_frame_hold_set_buffer (hold, buffer);\n', '')],
     DMABUF, 'test_i3_dmabuf_is_held'),
    ('I3', "the next user's wait for a reader", LIB + 'hip-memory-access.c',
     [('    for (i = 0; i < priv->n_readers; i++)\n      set_add_access',
       '    for (i = 0; i < 0; i++)\n      set_add_access')],
     LIBRARY, 'test_i3_next_user_comes_after_reader'),
    ('I3', "the next user's wait for a writer", LIB + 'hip-memory-access.c',
     [('  set_add_access (set, &priv->writer, stream);\n', '')],
     LIBRARY, 'test_i3_next_user_comes_after_writer'),
    ('I3', 'a pool that does not wait', LIB + 'gsthipbufferpool.c',
     [('    hip_memory_discard (GST_HIP_MEMORY_CAST (memory));\n',
       '    gst_hip_memory_sync (GST_HIP_MEMORY_CAST (memory));\n')],
     LIBRARY, 'test_i3_next_user_comes_after_reader'),
    ('I3', 'holding input of the system', PLUGIN + 'gsthipupload.c',
     [('gst_hip_fence_data_push (fence, hold, hip_frame_hold_release);\n'
       '    return hip_frame_map (src, hold, GST_MAP_READ, error);',
       'gboolean mapped = hip_frame_map (src, hold, GST_MAP_READ, error);\n'
       '    hip_frame_hold_release (hold);\n    return mapped;')],
     ELEMENTS, 'test_i3_system_input_is_held'),
    ('I3', 'holding pinned input', PLUGIN + 'gsthipupload.c',
     [('    gst_hip_fence_data_push_mini_object (fence,\n        GST_MINI_OBJECT_CAST (gst_buffer_ref (in)));\n', '')],
     ELEMENTS, 'test_i3_pinned_input_is_held'),
    ('I3', 'holding pinned input of a conversion', PLUGIN + 'gsthipbasefilter.c',
     [('    if (!buffers[i] || !hip_frame_is_cpu_memory (buffers[i]))', '    if (1)')],
     ELEMENTS, 'test_i3_pinned_input_of_convert_is_held'),
    ('I3', 'holding the staging buffer', PLUGIN + 'gsthipupload.c',
     [('  gst_hip_fence_data_push_mini_object (fence, GST_MINI_OBJECT_CAST (buffer));\n', ''),
      ('  *src = staged;\n', '  *src = staged;\n  gst_buffer_unref (buffer);\n')],
     ELEMENTS, 'test_i3_staging_is_held'),

    ('I4', "fence data's wait", LIB + 'gsthipfence.c',
     [('  gst_hip_event_notify (event, fence_event_ended,\n      gst_hip_fence_data_ref (fence),\n'
       '      (GDestroyNotify) gst_hip_fence_data_unref);',
       '  fence_event_ended (event, GST_HIP_EVENT_STATE_DONE, fence);')],
     LIBRARY, 'test_i4_released_on_a_worker_without_locks'),
    ('I4', "fence data's wait, for an input", LIB + 'gsthipfence.c',
     [('  gst_hip_event_notify (event, fence_event_ended,\n      gst_hip_fence_data_ref (fence),\n'
       '      (GDestroyNotify) gst_hip_fence_data_unref);',
       '  fence_event_ended (event, GST_HIP_EVENT_STATE_DONE, fence);')],
     ELEMENTS, 'test_i4_input_is_released_on_a_worker'),
    ('I4', 'giving up the lock to release', LIB + 'gsthipfence.c',
     [('    hip_mutex_unlock (&fence->lock);\n    if (entry.destroy)\n      entry.destroy (entry.data);\n'
       '    hip_mutex_lock (&fence->lock);',
       '    if (entry.destroy)\n      entry.destroy (entry.data);')],
     LIBRARY, 'test_i4_released_on_a_worker_without_locks'),
    ('I4', "an allocation's wait for its users", LIB + 'hip-memory-life.c',
     [('if (!event || hip_event_is_known_done (event))', 'if (1)')],
     LIBRARY, 'test_i4_kernel_keeps_what_it_uses'),
    ('I4', 'freeing on a worker', LIB + 'hip-memory-life.c',
     [('hip_worker_run (finish, priv);', 'finish (priv);')],
     LIBRARY, 'test_i4_idle_memory_is_released_on_a_worker'),
    ('I4', "the wait for work of an element that is gone", LIB + 'gsthipfence.c',
     [('  gst_hip_event_notify (event, fence_event_ended,\n      gst_hip_fence_data_ref (fence),\n'
       '      (GDestroyNotify) gst_hip_fence_data_unref);',
       '  fence_event_ended (event, GST_HIP_EVENT_STATE_DONE, fence);')],
     ELEMENTS, 'test_i4_input_outlives_the_element'),

    ('I5', 'not reading before writing', LIB + 'hip-memory-map.c',
     [('((flags & GST_MAP_READ) && !download (root, error))', '(!download (root, error))')],
     MAP, 'test_writing_reads_nothing_back'),
    ('I5', 'the mark after a failed download', LIB + 'hip-memory-map.c',
     [('  if (done) {\n    clear_mark (root, NEED_DOWNLOAD);', '  {\n    clear_mark (root, NEED_DOWNLOAD);')],
     MAP, 'test_failed_transfers_leave_marks'),
    ('I5', 'the mark after a failed upload', LIB + 'hip-memory-map.c',
     [('  if (queued) {\n    clear_mark (root, NEED_UPLOAD);',
       '  clear_mark (root, NEED_UPLOAD);\n  if (queued) {')],
     MAP, 'test_failed_transfers_leave_marks'),

    ('I6', 'failed as a state of its own', LIB + 'hip-event.c',
     [('if (answer == GST_HIP_EVENT_STATE_PENDING)', 'if (answer != GST_HIP_EVENT_STATE_DONE)')],
     EVENT, 'test_failed_is_never_pending'),
    ('I6', 'remembering that the device is lost', LIB + 'hip-context.c',
     [('return g_atomic_pointer_get (&context->lost_cause) != NULL;', 'return FALSE;')],
     'unit/core-notify', 'test_failed_device_ends_all'),
    ('I6', 'not asking a lost device again', LIB + 'hip-context.c',
     [('  if (G_UNLIKELY (hip_context_is_lost (context))) {', '  if (0) {')],
     LIBRARY, 'test_i6_every_call_fails_fast'),
    ('I6', 'reporting once', PLUGIN + 'hip-element-error.c',
     [('if (is_said_already (element, posted, error))', 'if (0)')],
     ELEMENTS, 'test_i6_upload_reports_a_lost_device_once'),
    ('I6', 'reporting that there is no buffer', PLUGIN + 'gsthipbasefilter.c',
     [('  gst_hip_base_filter_post_error (filter, "No buffer for the frame", error);',
       '  g_error_free (error);')],
     ELEMENTS, 'test_i6_download_reports_a_lost_device_once'),
    ('I6', 'giving up a kernel that does not end', LIB + 'hip-stream.c',
     [('if (g_get_monotonic_time () >= end || hip_is_exiting ())', 'if (end == 0 || hip_is_exiting ())')],
     LIBRARY, 'test_i6_endless_kernel_is_abandoned'),
    ('I6', 'giving up a stream that freed memory waits for', LIB + 'hip-memory-life.c',
     [('  gst_clear_hip_stream (&priv->stream);\n  g_atomic_int_set', '  g_atomic_int_set')],
     ELEMENTS, 'test_i6_shutdown_completes_with_a_stuck_stream'),

    ('I2', "a model's wait for its picture", ONNX + 'onnx-binding.c',
     [('!gst_hip_memory_begin_access (GST_HIP_MEMORY_CAST (tensor),\n          self->stream, GST_MAP_READ, error)', '0')],
     INFERENCE, 'test_i2_model_reads_after_kernel_wrote'),
    ('I2', 'the model as a reader, for the next picture', ONNX + 'onnx-binding.c',
     [('  gst_hip_memory_end_access_with_event (GST_HIP_MEMORY_CAST (tensor), event,\n      GST_MAP_READ);\n', '')],
     INFERENCE, 'test_i2_kernel_writes_after_model_read'),
    ('I2', "a result's wait for the model", ONNX + 'onnx-binding.c',
     [('    if (on_device[i])\n      gst_hip_memory_end', '    if (0)\n      gst_hip_memory_end'),
      ('    if (wholes[i] && wholes[i] != on_device[i])', '    if (0)')],
     INFERENCE, 'test_i2_cpu_reads_after_model_wrote'),
    ('I4', "an output's wait for the model", ONNX + 'onnx-binding.c',
     [('    if (on_device[i])\n      gst_hip_memory_end', '    if (0)\n      gst_hip_memory_end')],
     INFERENCE, 'test_i4_output_lives_until_written'),
]


def program_path(program):
    suite, name = program.split('/')
    name = name.replace('-staged', '')
    return f'tests/{suite}/{suite}-{name}'


class Builder:
    """Knows how the build makes objects and programs, and does it with other sources."""

    def __init__(self, source, build, folder):
        self.source, self.build, self.folder = source, build, folder
        with open(os.path.join(build, 'compile_commands.json'), encoding='utf-8') as file:
            self.compiles = {os.path.realpath(os.path.join(c['directory'], c['file'])): c
                             for c in json.load(file) if '-static.a.p/' in c['output']}
        self.links = {}

    def link_command(self, program):
        path = program_path(program)
        if path not in self.links:
            commands = subprocess.run(['ninja', '-C', self.build, '-t', 'commands', path], check=True,
                                      stdout=subprocess.PIPE, text=True).stdout.splitlines()
            self.links[path] = shlex.split(next(c for c in reversed(commands) if f' -o {path} ' in c))
        return list(self.links[path])

    def make(self, number, file, edits, program):
        """Path of program with edits made in file."""
        path = os.path.join(self.source, file)
        with open(path, encoding='utf-8') as stream:
            text = stream.read()
        for old, new in edits:
            if old not in text:
                raise LookupError(f'{file} has no such text any more; bring tests/races/mutants.py up to it:\n{old}')
            text = text.replace(old, new)
        copy, out = (os.path.join(self.folder, f'{number}.{end}') for end in ('c', 'exe'))
        with open(copy, 'w', encoding='utf-8') as stream:
            stream.write(text)
        compile_ = self.compiles[os.path.realpath(path)]
        command = shlex.split(compile_['command'])
        command = command[:command.index('-MD')] + ['-Wno-error', '-w', '-O1', '-iquote', os.path.dirname(path),
                                                    '-o', copy + '.o', '-c', copy]
        subprocess.run(command, cwd=compile_['directory'], check=True, stdout=subprocess.PIPE,
                       stderr=subprocess.STDOUT, text=True)
        link = self.link_command(program)
        at = link.index('-o')
        # Before the archive, whose member is not taken then.
        link[at + 1:at + 2] = [out, copy + '.o']
        subprocess.run(link, cwd=self.build, check=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        return out


TRIES = 6


def passes(path, program, case):
    """Whether case ran and passed."""
    # One process, so that killing it leaves nothing.
    env = dict(os.environ, GST_CHECKS=case, CK_FORK='no')
    if program == MAP or program.endswith('-staged'):
        env['GST_HIP_HOST_STAGING'] = '1'
    # A mutant may read freed memory and print what it finds there.
    with subprocess.Popen([path], env=env, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          stdin=subprocess.DEVNULL, text=True, errors='replace') as process:
        try:
            out = process.communicate(timeout=HANG_S)[0]
        except subprocess.TimeoutExpired:
            process.kill()
            process.communicate()
            return False
    if 'Checks: 0' in out:
        raise LookupError(f'{program} has no {case}')
    return process.returncode == 0 and 'Checks: 1, Failures: 0, Errors: 0' in out


def prove(builder, number):
    _, _, file, edits, program, case = MUTANTS[number]
    try:
        if not passes(os.path.join(builder.build, program_path(program)), program, case):
            return 'fails with nothing taken out'
        # Without its wait a race can be won by chance, on a busy machine; not
        # time and again.
        mutant = builder.make(number, file, edits, program)
        if all(passes(mutant, program, case) for _ in range(TRIES)):
            return 'passes although that is taken out'
    except LookupError as error:
        return str(error)
    except subprocess.CalledProcessError as error:
        return f'{shlex.join(error.cmd)}\n{error.stdout}'
    return ''


def print_list():
    print('| | without | in | fails |\n|---|---|---|---|')
    for invariant, what, file, _, program, case in MUTANTS:
        print(f'| {invariant} | {what} | `{os.path.basename(file)}` | {program}: `{case}` |')


def main():
    if sys.argv[1:] == ['--list']:
        print_list()
        return
    source, build = sys.argv[1:3]
    # Inference is not built everywhere.
    mutants = [n for n, mutant in enumerate(MUTANTS) if mutant[4] != INFERENCE or '--inference' in sys.argv[3:]]
    with tempfile.TemporaryDirectory(prefix='gst-hip-races.') as folder:
        builder = Builder(source, build, folder)
        for program in {MUTANTS[n][4] for n in mutants}:
            builder.link_command(program)
        with concurrent.futures.ThreadPoolExecutor(4) as pool:
            problems = pool.map(lambda n: prove(builder, n), mutants)
            for n, problem in zip(mutants, problems):
                invariant, what, _, _, program, case = MUTANTS[n]
                tap.case(f'{invariant} {program} {case} fails without {what}', problem)
    tap.done()


if __name__ == '__main__':
    main()
