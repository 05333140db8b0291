/* Steps of tasks that the host takes for a GPU (include/channels/gpu/scheduler/host_steps.hpp):
   wavefronts ask, threads of the host take steps and tell, any wavefront takes back what was told.

   Modelled: slots, which a wavefront takes and gives back by single bits; a ring of requests and one
   of answers, each entry a slot with the lap of its ticket; tickets that wavefronts and threads draw;
   the lock of those that take back, and the number of the next answer, which only its owner changes.
   A step that ends may lead to further steps, so slots and rings are used again. Stores of different
   writers become visible one by one, in any order: between a ticket and its entry anything may
   happen.

   Not modelled: weak memory, as each entry is written with a release and read with an acquire; what
   a step does; how many lanes a wavefront has.

   Shown, in every schedule: each step is taken once by the host and taken back once, with what was
   asked and what was told; no slot has two steps; and there is no state in which nobody can go on
   before all have been taken back. */

#ifndef WAVES
#define WAVES 2
#endif
#ifndef THREADS
#define THREADS 2
#endif
#ifndef SLOTS
#define SLOTS 2 /* and entries of each ring */
#endif
#ifndef STEPS
#define STEPS 5
#endif

/* What can be wrong, each of which has to be found. */
#define none 0
#define lap_ignored 1      /* an entry that is not empty counts as there */
#define told_without_lock 2 /* wavefronts take back side by side */
#define slot_given_early 3 /* a slot is free before its answer has been read */
#define ticket_not_taken 4 /* threads look at the next ticket, and do not draw it */
#define gap_passed 5       /* the next answer is skipped if it is not there yet */
#define slot_kept 6        /* a slot is not given back */
#ifndef MUTANT
#define MUTANT none
#endif

#define LAP(ticket) ((ticket) / SLOTS + 1)
#if MUTANT == lap_ignored
#define THERE(laps, ticket) (laps[(ticket) % SLOTS] != 0)
#else
#define THERE(laps, ticket) (laps[(ticket) % SLOTS] == LAP(ticket))
#endif
/* Whether it is worth while to look: who looks in vain has to wait here, so that a state in which
   nobody can go on is found. */
#if MUTANT == gap_passed
#define LOOKS (begun > over)
#else
#define LOOKS (begun > over && !lock && THERE(told_lap, next_told))
#endif
/* What a process does not use any more would make equal states differ. */
#define FORGET d_step { slot = 0; ticket = 0; mine = 0 }

bit taken[SLOTS];   /* slots that are not free */
byte step[SLOTS];   /* what a slot asks: the step's number, from 1 */
byte result[SLOTS]; /* what it tells */
byte asked_lap[SLOTS], asked_slot[SLOTS];
byte told_lap[SLOTS], told_slot[SLOTS];
byte asked = 0, next = 0;    /* tickets of requests: drawn by wavefronts, and by threads */
byte told = 0, next_told = 0; /* of answers: drawn by threads, and the next to be taken back */
bit lock = 0;
byte begun = 0; /* steps that wavefronts have decided to ask for */
byte runs[STEPS + 1], ends[STEPS + 1]; /* how often each was taken, and taken back */
byte over = 0;

proctype wavefront() {
  byte slot, ticket, mine;
  do
  :: over == STEPS -> break
  /* It asks. */
  :: begun < STEPS && (!taken[0] || !taken[SLOTS - 1]) ->
    slot = SLOTS;
    atomic {
      if
      :: begun < STEPS && !taken[0] -> slot = 0
#if SLOTS > 1
      :: begun < STEPS && !taken[1] -> slot = 1
#endif
      :: else
      fi;
      if
      :: slot < SLOTS -> taken[slot] = 1; begun++; mine = begun
      :: else
      fi
    }
    if
    :: slot < SLOTS ->
      step[slot] = mine;
      atomic { ticket = asked; asked++ };
      d_step { asked_slot[ticket % SLOTS] = slot; asked_lap[ticket % SLOTS] = LAP(ticket) }
    :: else
    fi;
    FORGET
  /* It takes back. */
  :: LOOKS ->
#if MUTANT != told_without_lock
    atomic {
      if
      :: !lock -> lock = 1; mine = 1
      :: else -> mine = 0
      fi
    }
    if
    :: mine ->
#endif
      ticket = next_told;
      if
      :: THERE(told_lap, ticket) ->
        slot = told_slot[ticket % SLOTS];
        next_told = ticket + 1;
        lock = 0;
#if MUTANT == slot_given_early
        taken[slot] = 0;
#endif
        d_step {
          mine = step[slot];
          assert(result[slot] == mine);
          ends[mine]++;
          assert(ends[mine] == 1);
        }
#if MUTANT != slot_given_early
        d_step { step[slot] = 0; result[slot] = 0 };
#if MUTANT != slot_kept
        taken[slot] = 0;
#endif
#endif
        over++
      :: else ->
#if MUTANT == gap_passed
        next_told = ticket + 1;
#endif
        lock = 0
      fi
#if MUTANT != told_without_lock
    :: else
    fi
#endif
    ; FORGET
  od
}

proctype thread() {
  byte slot, ticket, mine;
  do
  :: over == STEPS -> break
  :: next < STEPS && THERE(asked_lap, next) ->
    ticket = next;
    if
    :: THERE(asked_lap, ticket) ->
      slot = asked_slot[ticket % SLOTS];
#if MUTANT == ticket_not_taken
      next = ticket + 1; mine = 1;
#else
      atomic {
        if
        :: next == ticket -> next++; mine = 1
        :: else -> mine = 0
        fi
      }
#endif
      if
      :: mine ->
        d_step {
          runs[step[slot]]++;
          assert(runs[step[slot]] == 1)
        };
        result[slot] = step[slot];
        atomic { ticket = told; told++ };
        d_step { told_slot[ticket % SLOTS] = slot; told_lap[ticket % SLOTS] = LAP(ticket) }
      :: else
      fi
    :: else
    fi;
    FORGET
  od
}

active proctype watch() {
  byte i;
end_watch:
  (over == STEPS);
  for (i : 1 .. STEPS) { assert(runs[i] == 1 && ends[i] == 1) }
  assert(next == STEPS && next_told == STEPS)
}

init {
  byte i;
  atomic {
    for (i : 1 .. WAVES) { run wavefront() }
    for (i : 1 .. THREADS) { run thread() }
  }
}
