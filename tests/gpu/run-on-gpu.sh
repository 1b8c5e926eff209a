#!/bin/bash
# SPDX-License-Identifier: LGPL-2.1-or-later
# SPDX-FileCopyrightText: GstHip contributors
#
# run-on-gpu.sh OUT: everything that is to be known from a machine with an
# NVIDIA GPU, in one go of less than ten minutes, from inside a bundle
# (./dev bundle; this file is src/tests/gpu/run-on-gpu.sh there). Each step has
# a limit of time; OUT gets summary.txt, bench.json, all logs in logs.tar.gz.
#
# GST_HIP_BENCH_PEER=FOLDER  another GStreamer's bundle, for the benchmark
# PERF=CMD                   a perf that runs there, for a profile of the elements
# STEPS="tests bench ..."    only these; "convert" (conversions beside peers) and
#                            "shapes" (of their launches) run only where named;
#                            "rust" is the part of the tests that is Rust's
# GST_HIP_TEST_ORT=FOLDER    ONNX Runtime with its CUDA provider: the step "onnx",
#                            inference with tensors in the GPU's memory
set -u -o pipefail
out=$(realpath -m "${1:?usage: run-on-gpu.sh OUT}")
here=$(cd "$(dirname "$0")/../../.." && pwd)
work=$(mktemp -d)
logs=$work/logs
mkdir -p "$out" "$logs"
summary=$out/summary.txt
: > "$summary"
cd "$here" || exit 1
export here                     # in tests.list's commands
export GST_HIP_TEST_VENDOR=nvidia GST_HIP_TEST_REQUIRE=nvidia
export GST_HIP_TEST_DATA=$here/src/tests/data GST_HIP_CACHE_DIR=$work/kernel-cache
export GST_HIP_TEST_OUT=$work/pictures CK_DEFAULT_TIMEOUT=60
mkdir -p "$GST_HIP_TEST_OUT"

say () { echo "$@" | tee -a "$summary"; }

# one NAME LIMIT CMD...: a line of the summary; CMD may begin with "shell", for
# words that a shell has to read
one () {
  local name=$1 limit=$2 log code=0 begin=$SECONDS
  shift 2
  log=$logs/${name//\//_}.log
  [ "$1" != shell ] || { shift; set -- bash -c "$*"; }
  timeout -k 5 "$limit" "$@" < /dev/null > "$log" 2>&1 || code=$?
  {
    case $code in
      0) echo "ok      $name, $((SECONDS - begin)) s: $(grep -h -o '[0-9]*%: Checks: [^.]*' "$log" | tail -n 1)" ;;
      77) echo "skipped $name: $(tail -n 1 "$log")" ;;
      124|137) echo "TIMEOUT $name, $limit s"; grep -a ':[FE]:' "$log" | cut -c 1-400; tail -n 4 "$log" ;;
      *) echo "FAILED  $name, status $code, $((SECONDS - begin)) s"
         grep -a ':[FE]:' "$log" | cut -c 1-600 || tail -n 6 "$log" ;;
    esac
  } > "$log.summary"
  cat "$log.summary" | tee -a "$summary"
}

# many JOBS: lines "NAME LIMIT CMD..." from the input, some at a time
many () {
  local jobs=$1 line
  while read -r line; do
    # shellcheck disable=SC2086
    one $line &
    while [ "$(jobs -r -p | wc -l)" -ge "$jobs" ]; do wait -n; done
  done
  wait
}

# What there is so far, should the whole run out of its time
pack () { tar -C "$work" -czf "$out/logs.tar.gz" logs; }

wanted () { pack; [ -z "${STEPS:-}" ] || asked "$1"; }

# What takes minutes of its own
asked () { pack; [[ " ${STEPS:-} " == *" $1 "* ]]; }

say "== $(date -u +%FT%TZ) $(nvidia-smi --query-gpu=name,driver_version --format=csv,noheader 2> /dev/null | head -n 1), $(nproc) CPUs"
one info 60 ./bin/gst-hip-info --vendor nvidia --self-test

# gpu_tests PATTERN: as the build runs them, but for the device. Left out:
# simulated drivers, what is of the CPU alone, and what needs this build's own
# place.
gpu_tests () {
  while IFS=$'\t' read -r name _ command; do
    # shellcheck disable=SC2053
    [[ $name == $1 ]] || continue
    case $name in
      *simulated*|*-staged|*nvidia-calls*|*beside*|*kernel-archive*|*onnx*) ;;
      conformance/*|elements/*|kernels/*|robustness/*|rust/*)
        echo "$name 90 shell ${command/#env /env GST_HIP_VENDOR=nvidia GST_HIP_TEST_VENDOR=nvidia CK_FORK=no }" ;;
    esac
  done < tests.list | many 4
}

if asked rust; then
  say "== Rust's tests and examples on the GPU"
  gpu_tests 'rust/*'
fi

if wanted tests; then
  say "== tests on the GPU"
  gpu_tests '*'
  say "== races and units, on the CPU of that machine"
  while IFS=$'\t' read -r name _ command; do
    case $name in
      *simulated*|*mutant*|*onnx*) ;;
      races/*|unit/*) echo "$name 40 shell ${command/#env /env -u GST_HIP_TEST_VENDOR }" ;;
    esac
  done < tests.list | many 6
fi

if wanted onnx && [ -n "${GST_HIP_TEST_ORT:-}" ]; then
  say "== inference by the CUDA provider, tensors in the GPU's memory"
  while IFS=$'\t' read -r name _ command; do
    case $name in
      elements/onnx-values|elements/onnx-flow|elements/onnx-direct)
        echo "$name 240 shell ${command/#env /env GST_HIP_VENDOR=nvidia GST_HIP_TEST_PROVIDER=cuda GST_HIP_TEST_ON_GPU=1 GST_HIP_ONNXRUNTIME=$GST_HIP_TEST_ORT/libonnxruntime.so.1 GST_DEBUG=hiponnx:6 CK_DEFAULT_TIMEOUT=200 CK_FORK=no }" ;;
    esac
  done < tests.list | many 2
  grep -h -a -o 'tensors are bound as memory of [A-Za-z]*\|provider [a-z]*, nodes: .*' "$logs"/elements_onnx-*.log \
    | sort | uniq -c | sort -rn | head -n 12 | tee -a "$summary"
fi

if wanted bench; then
  say "== bench"
  timeout 220 env GST_HIP_VENDOR=nvidia ./run build/tests/bench/gst-hip-bench --check \
    --json="$out/bench.json" > "$logs/bench.log" 2>&1
  say "status $?"
  cat "$logs/bench.log" | tee -a "$summary"
fi

if asked convert; then
  say "== conversions"
  timeout "${CONVERT_LIMIT:-280}" env GST_HIP_VENDOR=nvidia ./run build/tests/bench/gst-hip-bench convert \
    --json="$out/convert.json" > "$logs/convert.log" 2>&1
  say "status $?"
  tee -a "$summary" < "$logs/convert.log"
fi

if asked shapes; then
  say "== conversions in other shapes: WIDTH,COUNT,BLOCK,BLOCK pair us"
  shapes="8,1,32,4 4,1,32,4 4,2,32,4 4,4,32,4 4,1,64,4 4,1,128,2 8,2,32,4 8,1,32,8 8,1,16,8 16,1,32,4 2,2,64,4"
  # Compiled at once, into the cache; then measured one after the other
  for shape in $shapes; do
    timeout 90 env GST_HIP_VENDOR=nvidia GST_HIP_CONVERT_SHAPE="$shape" \
      ./run build/tests/bench/gst-hip-bench shapes --quick > "$logs/shape-$shape.quick.log" 2>&1 &
  done
  wait
  for shape in $shapes; do
    timeout 30 env GST_HIP_VENDOR=nvidia GST_HIP_CONVERT_SHAPE="$shape" \
      ./run build/tests/bench/gst-hip-bench shapes > "$logs/shape-$shape.log" 2>&1
    sed -n "s/^shapes *\(.*\): kernel *\([0-9.]*\) us.*/$shape \1 \2/p" "$logs/shape-$shape.log" \
      | tee -a "$out/shapes.txt"
  done
fi

if wanted hidden; then
  say "== without NVRTC: precompiled kernels serve"
  mkdir -p "$work/only"
  cuda=$(ldconfig -p | awk '/libcuda\.so\.1 /{print $NF; exit}')
  [ -n "$cuda" ] || cuda=$(ls /usr/local/nvidia/lib64/libcuda.so.1 2> /dev/null)
  ln -sf "$(realpath "${cuda:-/usr/lib/x86_64-linux-gnu/libcuda.so.1}")" "$work/only/libcuda.so.1"
  while read -r what variables; do
    {
      echo "$what/self-test 60 env $variables ./bin/gst-hip-info --vendor nvidia --self-test"
      for name in core memory pool; do
        echo "$what/conformance-$name 60 env $variables GST_HIP_VENDOR=nvidia CK_FORK=no ./run build/tests/conformance/conformance-$name"
      done
      echo "$what/kernel-examples 60 env $variables GST_HIP_VENDOR=nvidia CK_FORK=no ./run build/tests/elements/elements-kernel-examples"
    } | many 3
  done << LINES
nvrtc-hidden GST_HIP_NVRTC_LIBNAME=/nonexistent/libnvrtc.so GST_HIP_CACHE_DIR=$work/cache-hidden
libcuda-only GST_HIP_CUDA_LIBNAME=$work/only/libcuda.so.1 GST_HIP_NVRTC_LIBNAME=/nonexistent/libnvrtc.so GST_HIP_CACHE_DIR=$work/cache-only
LINES
fi

if wanted trial; then
  say "== sharing a context with GstCuda"
  one trial-gst-cuda 60 ./run build/tests/trials/trial-gst-cuda
  cat "$logs/trial-gst-cuda.log" | tee -a "$summary"
fi

if wanted cuda; then
  say "== frames of GStreamer's CUDA elements"
  # A larger clip than the tests have, where the encoder is there
  large=$work/large.h264
  timeout 60 ./bin/gst-launch-1.0 -q videotestsrc num-buffers=240 pattern=ball ! \
    video/x-raw,format=I420,width=1920,height=1080,framerate=60/1 ! openh264enc bitrate=8000000 \
    complexity=low multi-thread=8 ! h264parse ! video/x-h264,stream-format=byte-stream ! \
    filesink location="$large" > "$logs/large.log" 2>&1
  for clip in "$GST_HIP_TEST_DATA/cars_320x240.h264" "$large"; do
    [ -s "$clip" ] || continue
    name=cuda-$(basename "$clip" .h264)
    one "$name" 240 env GST_HIP_VENDOR=nvidia ./run build/tests/gpu/gpu-cuda-frames "$clip"
    tee -a "$summary" < "$logs/$name.log"
  done
fi

if wanted sanitizer; then
  say "== compute-sanitizer"
  for tool in memcheck racecheck; do
    for name in memory pool kernels waits core; do
      echo "$tool/$name 100 env GST_HIP_VENDOR=nvidia CK_FORK=no compute-sanitizer --tool $tool --error-exitcode 9 --report-api-errors no ./run build/tests/conformance/conformance-$name"
    done
  done | many 4
  grep -h -a 'ERROR SUMMARY\|RACECHECK SUMMARY' "$logs"/*check_*.log | sort | uniq -c | tee -a "$summary"
fi

if wanted perf && [ -n "${PERF:-}" ]; then
  say "== profile of the elements"
  timeout 50 $PERF record -e cpu-clock -F 5000 -g -o "$work/perf.data" env GST_HIP_VENDOR=nvidia \
    ./run build/tests/bench/gst-hip-bench elements > "$logs/perf-record.log" 2>&1
  timeout 40 $PERF report -i "$work/perf.data" --no-children --sort comm,dso,sym --stdio 2> /dev/null \
    | grep '%' | head -n 120 > "$out/perf.txt"
fi

say "== $(grep -c '^ok' "$summary") ok, $(grep -c '^FAILED\|^TIMEOUT' "$summary") failed, $(grep -c '^skipped' "$summary") skipped; $SECONDS s"
pack
