/* The channel's protocol (include/channels/detail/channel_view.hpp), one Promela step for each access to
 * shared memory, in a ring of CAPACITY elements and 2 * CAPACITY control slots.
 *
 *   PRODUCERS talloc runs of one or two elements, or a block of which they give back what they do
 *   not need, and enqueue them, WORDS times in all. CONSUMERS deq and tfree; with AGGREGATOR, one
 *   process walks the control array and hands the runs to them, and they only tfree. One reclaimer
 *   reclaims.
 *
 * Where a caller would try again later (talloc said full, deq said empty) the model has a blocked
 * guard, not a loop. What is left of loops is the protocol's own: a state without a way on (spin's
 * "invalid end state") is a wait for somebody else or a lost element, and an execution without end
 * is a livelock.
 *
 * With STOP, producer 0 may stop for ever between any two steps. What the others enqueue must still
 * be consumed; only space is then not reclaimed for good, and talloc may go on saying full.
 *
 * Ghosts, which the protocol never reads, say what must hold; their names start with "is_". MUTANT
 * breaks one thing: CMakeLists.txt lists the mutants, and wants each to be caught.
 */
#ifndef CAPACITY
#define CAPACITY 2
#endif
#ifndef GROUP
#define GROUP 1
#endif
#ifndef PRODUCERS
#define PRODUCERS 2
#endif
#ifndef CONSUMERS
#define CONSUMERS 1
#endif
#ifndef WORDS
#define WORDS 9 /* of four slots, the ninth word starts the third lap */
#endif
#ifndef LONGEST
#define LONGEST 2 /* elements in a run: 1 or 2 */
#endif

#ifndef MUTANT
#define MUTANT 0
#endif
#define stored_without_exchange 1
#define lap_bit_ignored 2
#define producer_does_not_help 3
#define deq_reads_word_first 4
#define done_count_not_reset 5
#define done_increment_dropped 6
#define head_inside_group 7
#define skip_without_exchange 8

#define SLOTS (2 * CAPACITY)
#define slot(ticket) ((ticket) % CAPACITY)
#define done_of(ticket) done[slot(ticket) / GROUP]
#define control(position) word[(position) % SLOTS]
#define lap(position) (((position) / SLOTS + 1) & 1)

/* A control word: lap bit, length of the run (1 or 2), first ticket. */
#define pack(lap, first, count) (((lap) << 7) | (((count) - 1) << 6) | (first))
#define first_of(w) ((w) & 63)
#define count_of(w) ((((w) >> 6) & 1) + 1)
#if MUTANT == lap_bit_ignored
#define is_filled(w, position) (w != 0)
#else
#define is_filled(w, position) (((w) >> 7) == lap(position))
#endif

byte tail, head, control_tail, claimed;
byte word[SLOTS];
byte done[CAPACITY / GROUP];

#define AVAILABLE 0
#define RESERVED 1
#define READY 2
#define DISPATCHED 3
#define DONE 4
byte is_state[CAPACITY];
byte is_begun, is_enqueued;
byte is_producing = PRODUCERS;
byte is_consuming = CONSUMERS;
bool is_stopping, is_stopped;

/* Moves the ghosts of a run from one of the five states to the next. */
inline move(first, count, from, to) {
  assert(is_state[slot(first)] == from);
  is_state[slot(first)] = to;
  if
  :: (count) == 2 -> assert(is_state[slot(first + 1)] == from); is_state[slot(first + 1)] = to
  :: else
  fi
}

inline count_done(ticket, n) {
  d_step {
    done_of(ticket) = done_of(ticket) + (MUTANT == done_increment_dropped && ticket == 2 -> 0 : n);
    move(ticket, n, DISPATCHED, DONE)
  }
}

/* One increment for each group that the run touches. */
inline tfree(first, count) {
  if
  :: count == 2 && GROUP == 2 && first % 2 == 0 -> count_done(first, 2)
  :: else ->
    count_done(first, 1);
    if
    :: count == 2 -> count_done(first + 1, 1)
    :: else
    fi
  fi
}

proctype producer(byte me) {
  byte least, most, first, count, t, h, w;
  {
    do
    :: atomic { is_begun < WORDS -> is_begun++ };
      if
      :: least = 1; most = 1
#if LONGEST == 2
      :: least = 2; most = 2
      :: least = 1; most = 2
#endif
      fi;

    talloc:
      t = tail;
    room:
      atomic {
        h = head;
        if
        :: h > t -> goto talloc
        :: else
        fi;
        count = CAPACITY - (t - h);
        if
        :: count < least ->
          if
          :: CAPACITY - (tail - head) >= least -> goto talloc
          :: is_stopped -> goto finished
          fi
        :: else
        fi;
        if
        :: count > most -> count = most
        :: else
        fi
      };
      atomic {
        if
        :: tail == t ->
          tail = t + count;
          first = t;
          d_step { move(first, count, AVAILABLE, RESERVED); t = 0; h = 0; most = 0 }
        :: else -> t = tail; goto room
        fi
      };

      if
      :: least < count ->
        /* give_back of the second element of the block. */
        atomic {
          if
          :: tail == first + 2 ->
            tail = first + 1;
            d_step { move(first + 1, 1, RESERVED, AVAILABLE) };
            goto given_back
          :: else
          fi
        };
        d_step {
          done_of(first + 1) = done_of(first + 1) + 1;
          move(first + 1, 1, RESERVED, DONE)
        };
      given_back:
        count = 1
      :: true
      fi;
      least = 0;

    enq:
      t = control_tail;
      w = control(t);
      if
      :: is_filled(w, t) ->
#if MUTANT != producer_does_not_help
        d_step {
          if
          :: control_tail == t -> control_tail = t + 1
          :: else
          fi
        };
#endif
        goto enq
      :: else
      fi;
      atomic {
        if
#if MUTANT == stored_without_exchange
        :: true ->
#else
        :: control(t) == w ->
#endif
          d_step {
            /* Nobody needs the word that was here: its run has been reclaimed. */
            assert(control(t) == 0 || first_of(control(t)) + count_of(control(t)) <= head);
            control(t) = pack(lap(t), first, count);
            move(first, count, RESERVED, READY);
            is_enqueued++;
            w = 0; h = 0; first = 0; count = 0
          }
        :: else -> goto enq
        fi
      };
      d_step {
        if
        :: control_tail == t -> control_tail = t + 1
        :: else
        fi;
        t = 0
      }
    :: atomic { is_begun == WORDS -> break }
    od;
  finished:
    is_producing--
  } unless {
    atomic { me == 0 && is_stopping && is_producing > 0 -> is_stopped = true; is_producing-- }
  }
}

/* Locals are set to zero once they are dead: that makes fewer states, and changes nothing. */

/* Everybody has produced, and everything is consumed. */
#define is_all_consumed (is_producing == 0 && claimed == is_enqueued)

#define take(position, w)                                                                     \
  d_step {                                                                                    \
    assert(control(position) == w);                                                           \
    move(first_of(w), count_of(w), READY, DISPATCHED);                                        \
    claimed = position + 1                                                                    \
  }

#ifdef AGGREGATOR

chan dispatch = [0] of { byte };

/* Alone in taking: peek at one position after the other. */
proctype aggregator() {
  byte w;
  do
  :: atomic { is_filled(control(claimed), claimed) -> w = control(claimed); take(claimed, w) };
    atomic { dispatch!w; w = 0 }
  :: atomic { is_all_consumed -> break }
  od;
  byte i;
  for (i : 1 .. CONSUMERS) { dispatch!0 }
}

proctype consumer() {
  byte w;
  do
  :: dispatch?w ->
    if
    :: w == 0 -> break
    :: else -> tfree(first_of(w), count_of(w)); w = 0
    fi
  od;
  is_consuming--
}

#else

proctype consumer() {
  byte position, w;
again:
  position = claimed;
peek:
  w = control(position);
#if MUTANT == deq_reads_word_first
  /* What a processor may do with two loads that nothing orders. */
  atomic {
    if
    :: claimed % SLOTS == position % SLOTS -> position = claimed
    :: else -> goto again
    fi
  };
#endif
  if
  :: !is_filled(w, position) ->
    atomic {
      if
      :: claimed != position -> position = claimed; goto peek
      :: is_filled(control(position), position) -> goto again
      :: is_all_consumed -> goto finished
      fi
    }
  :: else
  fi;
  atomic {
    if
    :: claimed == position -> take(position, w); position = 0
    :: else -> position = claimed; goto peek
    fi
  };
  tfree(first_of(w), count_of(w));
  w = 0;
  goto again;
finished:
  is_consuming--
}

#endif

#if MUTANT == head_inside_group
#define group_first(h) ((h) - (h) % GROUP)
#else
#define group_first(h) (h)
#endif
#define is_over (is_producing == 0 && is_consuming == 0)
#define is_reclaimable                                                                        \
  (done_of(head) == GROUP ||                                                                  \
   (done_of(head) > 0 && tail == group_first(head) + done_of(head) && tail != head))

proctype reclaimer() {
  byte h, t, count;
  do
  :: is_reclaimable ->
    h = head;
    do
    :: count = done_of(h);
      if
      :: count == GROUP ->
#if MUTANT != done_count_not_reset
        done_of(h) = 0;
#endif
        h = group_first(h) + GROUP
      :: else ->
        t = tail;
        if
        :: count == 0 || t != group_first(h) + count -> break
        :: else
        fi;
#if MUTANT == head_inside_group
        h = t;
        break
#else
        /* Skip the rest of the group. */
        atomic {
          if
#if MUTANT == skip_without_exchange
          :: true ->
#else
          :: tail == t ->
#endif
            tail = h + GROUP;
            d_step { move(t, 1, AVAILABLE, DONE) }
          :: else -> break
          fi
        };
        done_of(h) = 0;
        h = h + GROUP
#endif
      fi
    od;
    skip; /* Where the breaks above lead: they may not lead into a d_step. */
    d_step {
      do
      :: head < h -> move(head, 1, DONE, AVAILABLE); head++
      :: else -> break
      od;
      h = 0; t = 0; count = 0
    }
  :: atomic { is_over && !is_reclaimable -> break }
  od;
  assert(head == tail || is_stopped)
}

#ifdef STOP
proctype stopper() { is_stopping = true }
#endif

init {
  atomic {
    byte i;
    for (i : 1 .. PRODUCERS) { run producer(i - 1) }
    for (i : 1 .. CONSUMERS) { run consumer() }
#ifdef AGGREGATOR
    run aggregator();
#endif
    run reclaimer();
#ifdef STOP
    run stopper()
#endif
  }
}
