// The kernels of the paper's workloads for a GPU, compiled for what the compiler says of them:
// scripts/evaluate.

#include "channels/gpu/scheduler/caller.hpp"
#include "tasks/fib.hpp"
#include "tasks/queens.hpp"
#include "tasks/strassen.hpp"

template class channels::gpu::caller<tasks::fib>;
template class channels::gpu::caller<tasks::queens>;
template class channels::gpu::caller<tasks::strassen>;
