/* How places find out together that a run has ended, with credit: runtime/net/termination_waves.hpp
   and runtime/net/far_traffic.hpp. Elements go round the places, so many hops each. Place 0 sends
   waves, and ends the run after two that find all places passive and the same sums.

   Modelled: links that keep the order of what is sent (what runtime/net/peer_link.hpp makes of any
   transport); a landing channel at each place, and its credit; a place without credit keeps its
   elements, parked if need be, and goes on taking in what arrives. A place answers a wave in one
   step, at any time between its neighbours' answers; how long the answer travels does not matter.

   Shown, in every schedule: when place 0 ends the run, no element is left anywhere; a landing
   channel holds no more than was promised; credit comes back and the run ends, as there is no state
   in which nobody can go on (spin's invalid end states). */

#ifndef PLACES
#define PLACES 2
#endif
#ifndef CREDIT
#define CREDIT 1   /* elements that a landing channel holds */
#endif
#ifndef ELEMENTS
#define ELEMENTS 2 /* that there are: the last begins at the last place, the others at place 0 */
#endif
#ifndef HOPS
#define HOPS 2     /* how often each is sent */
#endif

#ifndef FAN
#define FAN 1      /* elements that are sent for one that is consumed: 1 or 2 */
#endif
#ifndef MOST
#define MOST ELEMENTS  /* elements that there can be */
#endif

/* What can be wrong, each of which has to be found. */
#define none 0
#define one_wave_is_enough 1      /* the run ends after one wave with equal sums */
#define sums_not_compared 2       /* all places passive twice is enough, whatever is on its way */
#define sent_counted_after 3      /* an element leaves, and is counted as sent later */
#define passive_ignored 4         /* equal sums twice are enough, whether or not a place has work */
#define landed_is_no_work 5       /* a place is passive while elements wait in its landing channel */
#define credit_never_returned 6
#define credit_given_twice 7
#define sends_without_credit 8
#ifndef MUTANT
#define MUTANT none
#endif

#define NEXT(p) (((p) + 1) % PLACES)
#define BEFORE(p) (((p) + PLACES - 1) % PLACES)

chan data[PLACES] = [MOST] of { byte };   /* to each place: an element's hops left */
chan landing[PLACES] = [MOST] of { byte };
byte returned[PLACES];  /* credit on its way to the place */
byte credit[PLACES];    /* elements that the place may send to the next */
byte first[PLACES];     /* elements that the place begins with and that have not left */
chan onward[PLACES] = [MOST] of { byte };  /* those that it consumed and that go on */
byte sent[PLACES];
byte uncounted[PLACES];
byte done[PLACES];
byte alive = 0;         /* elements that exist, anywhere */
bool moved = true;      /* since the last wave began: a wave finds something new */
bool ended = false;

#define HAS_CREDIT(p) (credit[p] > 0 || MUTANT == sends_without_credit)

inline leave(h) {
  if
  :: credit[me] > 0 -> credit[me]--
  :: else
  fi;
  if
  :: MUTANT == sent_counted_after -> uncounted[me]++
  :: else -> sent[me]++
  fi;
  data[NEXT(me)]!h;
  moved = true;
}

proctype place(byte me) {
  byte h = 0;
end_of_place:
  do
  /* An element leaves. */
  :: atomic { !ended && first[me] > 0 && HAS_CREDIT(me) -> first[me]--; leave(HOPS - 1) }
  :: atomic { nempty(onward[me]) && HAS_CREDIT(me) -> onward[me]?h; leave(h - 1); h = 0 }
  :: atomic { uncounted[me] > 0 -> uncounted[me]--; sent[me]++; moved = true }
  /* A parcel arrives: an enqueue, for which there is room. */
  :: atomic {
       data[me]?h ->
       assert(len(landing[me]) < CREDIT);
       landing[me]!h;
       h = 0;
       done[me]++;
       moved = true;
     }
  /* An element is consumed: it has come to its end, or FAN others go on. Its room is free. */
  :: atomic {
       landing[me]?h ->
       if
       :: h > 0 ->
          onward[me]!h;
          if
          :: FAN == 2 -> onward[me]!h; alive++
          :: else
          fi
       :: else -> alive--
       fi;
       h = 0;
       if
       :: MUTANT == credit_never_returned
       :: MUTANT == credit_given_twice -> returned[BEFORE(me)] = returned[BEFORE(me)] + 2
       :: else -> returned[BEFORE(me)]++
       fi;
       moved = true;
     }
  :: atomic {
       returned[me] > 0 ->
       credit[me] = credit[me] + returned[me];
       returned[me] = 0;
       moved = true;
     }
  od
}

#define PASSIVE(p) (first[p] == 0 && empty(onward[p]) && \
                    (empty(landing[p]) || MUTANT == landed_is_no_work))

proctype waves() {
  byte p = 0;
  byte s = 0;
  byte d = 0;
  bool passive = true;
  byte last_s = 0;
  byte last_d = 0;
  bool last_passive = false;

  do
  :: atomic { moved || last_passive -> moved = false }
     do
     :: atomic {
          p < PLACES ->
          s = s + sent[p];
          d = d + done[p];
          passive = passive && (PASSIVE(p) || MUTANT == passive_ignored);
          p++
        }
     :: p == PLACES -> break
     od;
     atomic {
       passive = passive && (s == d || MUTANT == sums_not_compared);
       if
       :: passive && (MUTANT == one_wave_is_enough ||
                      (last_passive && ((s == last_s && d == last_d) ||
                                        MUTANT == sums_not_compared))) ->
          assert(alive == 0);
          ended = true;
       :: else
       fi;
       last_passive = passive; last_s = s; last_d = d;
       p = 0; s = 0; d = 0; passive = true;
     }
     if
     :: ended -> break
     :: else
     fi
  od
}

init {
  byte p = 0;
  atomic {
    alive = ELEMENTS;
    first[0] = ELEMENTS - 1;
    first[PLACES - 1]++;
    do
    :: p < PLACES -> credit[p] = CREDIT; run place(p); p++
    :: else -> break
    od;
    run waves();
  }
}
