// Tasks of a device through channels there: alloca, arrays of variable length, several syncs, cilk_for; with both rules, and with
// the aggregator on the host and on the device.
// RUN: %device-run-and-compare %s --device-aggregator
// RUN: env CHANNELS_DEVICE=emulated CHANNELS_ORDER=channels CHANNELS_STATS=1 %t.lowered 2>&1 | FileCheck --check-prefix=HOME %s
// HOME: run {{.*}} compute units, wavefronts of {{[0-9]+}}, on the device 'emulated'
// HOME-NOT: its aggregator
// HOME: {{^}}queens.cont
// RUN: env CHANNELS_DEVICE=emulated CHANNELS_ORDER=channels CHANNELS_AGGREGATOR=device CHANNELS_STATS=1 %t.lowered 2>&1 | FileCheck --check-prefix=DEVICE %s
// DEVICE: on the device 'emulated'
// DEVICE: on the device {{.*}} times; its aggregator decided
// RUN: env CHANNELS_DEVICE=emulated CHANNELS_ORDER=channels CHANNELS_STATS=json %t.lowered 2>&1 | FileCheck --check-prefix=JSON %s
// JSON-DAG: "order": "channels"
// JSON-DAG: "device": "emulated"
// What fails is said as it is on the host.
// RUN: env CHANNELS_DEVICE=emulated CHANNELS_ORDER=channels CHANNELS_LEVELS=3 not %t.lowered 2>&1 | FileCheck --check-prefix=LEVELS %s
// LEVELS: channels: {{[a-z]+}}{{.*}}: no room at level 2: {{.*}}CHANNELS_LEVELS
// RUN: env CHANNELS_DEVICE=emulated CHANNELS_ORDER=channels CHANNELS_MEMORY=8K not %t.lowered 2>&1 | FileCheck --check-prefix=MEMORY %s
// MEMORY: channels: queens: {{.*}}CHANNELS_MEMORY
#include <alloca.h>
#include <cilk/cilk.h>
#include <stdio.h>
#include <string.h>

static int fits(const char* rows, int row, int column) {
  for (int i = 0; i < row; i++) {
    int distance = row - i;
    if (rows[i] == column || rows[i] == column - distance || rows[i] == column + distance) return 0;
  }
  return 1;
}
long queens(int size, int row, const char* rows) {
  if (row == size) return 1;
  long counts[size];
  for (int column = 0; column < size; column++) {
    counts[column] = 0;
    if (!fits(rows, row, column)) continue;
    char* mine = alloca(row + 1);
    memcpy(mine, rows, row);
    mine[row] = (char)column;
    counts[column] = cilk_spawn queens(size, row + 1, mine);
  }
  cilk_sync;
  long sum = 0;
  for (int column = 0; column < size; column++) sum += counts[column];
  return sum;
}

// The second half is twice the first.
static long twice(long n) { return n < 20 ? n + 100 : n * 2; }
void fill(long* p, int n) {
  if (n <= 4) {
    for (int i = 0; i < n; i++) p[i] = twice(i * n);
    return;
  }
  cilk_spawn fill(p, n / 2);
  fill(p + n / 2, n - n / 2);
  cilk_sync;
  cilk_for (int i = 0; i < n / 2; i++) p[n / 2 + i] = 2 * p[i];
  cilk_spawn fill(p, n / 4);
  fill(p + n / 4, n / 4);
  cilk_sync;
}

int main(void) {
  static long filled[64];
  fill(filled, 64);
  long sum = 0;
  for (int i = 0; i < 64; i++) sum = sum * 31 + filled[i];
  printf("%ld %ld\n", queens(5, 0, ""), sum);
  return 0;
}
