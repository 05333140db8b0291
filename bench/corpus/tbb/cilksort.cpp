#include "bench/corpus/tbb/corpus_tbb.hpp"

#define main elision_main
#include "examples/corpus/cilksort.c"
#undef main

namespace with_tbb {

void cilkmerge(ELM* low1, ELM* high1, ELM* low2, ELM* high2, ELM* lowdest) {
  if (high2 - low2 > high1 - low1) {
    swap_indices(low1, low2);
    swap_indices(high1, high2);
  }
  if (high1 < low1) {
    memcpy(lowdest, low2, sizeof(ELM) * (high2 - low2 + 1));
    return;
  }
  if (high2 - low2 < MERGESIZE) {
    seqmerge(low1, high1, low2, high2, lowdest);
    return;
  }
  ELM* const split1 = (high1 - low1 + 1) / 2 + low1;
  ELM* const split2 = binsplit(*split1, low2, high2);
  const long lowsize = split1 - low1 + split2 - low2;
  lowdest[lowsize + 1] = *split1;
  parallel_invoke([=] { cilkmerge(low1, split1 - 1, low2, split2, lowdest); },
                  [=] { cilkmerge(split1 + 1, high1, split2 + 1, high2, lowdest + lowsize + 2); });
}

void cilksort(ELM* low, ELM* tmp, long size) {
  if (size < QUICKSIZE) {
    seqquick(low, low + size - 1);
    return;
  }
  const long quarter = size / 4;
  ELM *const A = low, *const B = A + quarter, *const C = B + quarter, *const D = C + quarter;
  ELM *const tmpA = tmp, *const tmpB = tmpA + quarter, *const tmpC = tmpB + quarter,
             *const tmpD = tmpC + quarter;
  parallel_invoke([=] { cilksort(A, tmpA, quarter); }, [=] { cilksort(B, tmpB, quarter); },
                  [=] { cilksort(C, tmpC, quarter); },
                  [=] { cilksort(D, tmpD, size - 3 * quarter); });
  parallel_invoke([=] { cilkmerge(A, A + quarter - 1, B, B + quarter - 1, tmpA); },
                  [=] { cilkmerge(C, C + quarter - 1, D, low + size - 1, tmpC); });
  cilkmerge(tmpA, tmpC - 1, tmpC, tmpA + size - 1, A);
}

}  // namespace with_tbb

int main(int argc, char** argv) {
  argc = timing_option(argc, argv);
  const long size = argc > 2 ? atol(argv[2]) : 30000;
  ELM* array = static_cast<ELM*>(malloc(size * sizeof(ELM)));
  ELM* tmp = static_cast<ELM*>(malloc(size * sizeof(ELM)));
  fill_array(array, size);
  with_tbb::timed([&] { with_tbb::cilksort(array, tmp, size); });
  const int success = check_array(array, size);
  free(array);
  free(tmp);
  return success ? 0 : 1;
}
