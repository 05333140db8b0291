// Ways by which a pointer to a variable gets out of sight: tasks on a device have no copy of it. And ways by which none does.
// RUN: %cilk2chan --device=emulated --explain --emit=tasks -o /dev/null %s 2>&1 | FileCheck %s
// CHECK-NOT: {{^}}out_{{.*}}copied
// CHECK: {{^}}in_: variable, copied
// CHECK-NOT: {{^}}out_{{.*}}copied
// CHECK-NOT: {{^}}in_{{.*}}used
#include <cilk/cilk.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

static int in_, in_read, in_assigned, in_array[4], in_by_pointer[4], in_by_parameter[4], in_filled[4], in_difference[4],
    in_deref, in_sizeof, in_chosen, in_also_chosen, in_scanned, in_looped[4], in_listed;
static struct members { int of[2][2]; int* pointer; } in_members;
static int out_returned, out_stored, out_in_structure, out_in_list, out_as_number, out_to_unknown, out_through_pointer,
    out_to_variadic, out_of_copy[4], out_by_alias, out_slot, out_cleaned, out_in_static, out_initial, out_swapped[2],
    out_member_array, out_to_task, out_chained, out_compared_and_kept, out_in_assembly, out_nested, out_by_choice;
static struct part { int of[2]; } out_decayed;

void unknown(int* p);
void variadic(int first, ...) {}
static int* returns(void) { return &out_returned; }
static int* kept;
struct holder { int* p; };
static struct holder held;
static int* initial = &out_initial;
extern int other_name __attribute__((alias("out_by_alias")));
static void swap_to(int** slot) { kept = *slot; }
static void clean(int** p) { kept = *p; }
static int* through(int* p) { return p; }
static void into(int* p) { kept = p; }
static void on(int* p) { into(p); }
static int sum_of(const int* p, int n) { return n == 0 ? 0 : *p + sum_of(p + 1, n - 1); }

static void host(void (*call)(int*), int choice) {
  kept = &out_stored;
  held.p = &out_in_structure;
  struct holder list[1] = {{&out_in_list}};
  intptr_t number = (intptr_t)&out_as_number;
  unknown(&out_to_unknown);
  call(&out_through_pointer);
  variadic(1, &out_to_variadic);
  kept = memcpy(out_of_copy, in_array, sizeof in_array);
  int* slot = &out_slot;
  swap_to(&slot);
  int* cleaned __attribute__((cleanup(clean))) = &out_cleaned;
  static int* still;
  still = &out_in_static;
  kept = out_swapped + 1;
  kept = &out_decayed.of[1];
  on(&out_chained);
  int* here = &out_compared_and_kept;
  if (here != kept) kept = here;
  __asm__ volatile("" : : "r"(&out_in_assembly) : "memory");
  kept = (choice++, through(&out_nested));
  kept = choice ? &out_by_choice : NULL;
  int* member = &out_member_array;
  held = (struct holder){member};

  in_assigned = in_read;
  in_array[in_read & 3]++;
  int* p = in_by_pointer;
  *p++ = 1;
  for (int* each = p; each != in_by_pointer + 4; each++) *each += 1;
  choice += sum_of(in_by_parameter, 4);
  memset(in_filled, 0, sizeof in_filled);
  choice += (int)(&in_difference[3] - in_difference);
  *&in_deref = 1;
  (void)sizeof(&in_sizeof);
  *(choice ? &in_chosen : &in_also_chosen) = 2;
  sscanf("1", "%d", &in_scanned);
  int values[] = {in_listed, in_looped[1]};
  in_members.of[1][0] = values[0];
  in_members.pointer = kept;
  if (list[0].p == NULL) printf("%d\n", (int)number);
}

void task(int* also, int n) {
  if (n > 0) {
    cilk_spawn task(also, n - 1);
    task(also, n - 1);
    cilk_sync;
    return;
  }
  in_ += in_read + in_assigned + in_array[0] + in_by_pointer[0] + in_by_parameter[0] + in_filled[0] + in_difference[0] +
         in_deref + in_sizeof + in_chosen + in_also_chosen + in_scanned + in_looped[0] + in_listed + in_members.of[0][0];
  in_ += out_returned + out_stored + out_in_structure + out_in_list + out_as_number + out_to_unknown +
         out_through_pointer + out_to_variadic + out_of_copy[0] + out_by_alias + out_slot + out_cleaned + out_in_static +
         out_initial + out_swapped[0] + out_decayed.of[0] + out_member_array + *also + out_to_task + out_chained +
         out_compared_and_kept + out_in_assembly + out_nested + out_by_choice;
}

int main(void) {
  host(unknown, *returns() + *initial);
  task(&out_to_task, 3);
  return in_;
}
