"""The style of the pages, light and dark."""

STYLE = """
:root {
  color-scheme: light dark;
  --page: #f6f7f9; --card: #ffffff; --text: #1c2430; --quiet: #5c6675; --line: #dde1e7;
  --best: #e2f3e6; --accent: #2f6fb5; --advice: #1f5c34;
  --c0: #3b7dc4; --c1: #8a63c9; --c2: #c2569b; --c3: #d9803a; --c4: #bfa12a; --c5: #c9ced6;
  --c6: #2a9486; --shade: #1c243033;
}
@media (prefers-color-scheme: dark) {
  :root {
    --page: #14181e; --card: #1d232c; --text: #e3e8ef; --quiet: #9aa5b4; --line: #343c48;
    --best: #1d3b28; --accent: #7fb2ea; --advice: #8fd3a5;
    --c0: #5b9bdf; --c1: #a98be0; --c2: #d97fb8; --c3: #e59a5e; --c4: #d3b955; --c5: #48515f;
    --c6: #5cc2b3; --shade: #000000a0;
  }
}
* { box-sizing: border-box; }
body { margin: 0; background: var(--page); color: var(--text);
  font: 15px/1.5 system-ui, "Segoe UI", "DejaVu Sans", sans-serif; }
main { max-width: 72rem; margin: 0 auto; padding: 1.5rem 1rem 3rem; }
h1 { font-size: 1.6rem; margin: 0 0 .5rem; overflow-wrap: anywhere; }
h2 { font-size: 1.2rem; margin: 2rem 0 .6rem; }
h3 { font-size: 1rem; margin: 0 0 .5rem; font-weight: 600; }
h4 { font-size: .9rem; margin: .8rem 0 .25rem; font-weight: 600; color: var(--quiet); }
section > h3 { margin-top: 1rem; }
code { font: .9em ui-monospace, "DejaVu Sans Mono", monospace; color: var(--quiet); overflow-wrap: anywhere; }
.card { background: var(--card); border: 1px solid var(--line); border-radius: .5rem;
  padding: .9rem 1rem; margin: 0 0 .8rem; }
.card ul { margin: 0; padding-left: 1.2rem; }
.card li + li { margin-top: .35rem; }
.advice { color: var(--advice); font-weight: 600; }
.differs { font-weight: 400; }
.run { border-left: .35rem solid var(--c0); padding-left: .4rem; overflow-wrap: anywhere; }
.run1 { border-color: var(--c3); } .run2 { border-color: var(--c1); } .run3 { border-color: var(--c4); }
.run4 { border-color: var(--c2); } .run5 { border-color: var(--c6); }
/* A shade at the edge behind which there is more; what covers it at the end moves along. */
.scroll { overflow-x: auto; background:
  linear-gradient(to right, var(--card) 50%, transparent) left / 3rem 100% no-repeat local,
  linear-gradient(to left, var(--card) 50%, transparent) right / 3rem 100% no-repeat local,
  linear-gradient(to right, var(--shade), transparent) left / .7rem 100% no-repeat scroll,
  linear-gradient(to left, var(--shade), transparent) right / .7rem 100% no-repeat scroll; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; }
section > .scroll { background-color: var(--card); border: 1px solid var(--line); width: fit-content; max-width: 100%; }
th, td { padding: .28rem .55rem; text-align: right; white-space: nowrap; }
thead th { vertical-align: bottom; }
.compare thead th, .compare .about td { white-space: normal; max-width: 14rem; }
th[scope=row] { text-align: left; font-weight: 400; }
thead th { font-weight: 600; border-bottom: 1px solid var(--line); }
tbody tr + tr > * { border-top: 1px solid var(--line); }
.group th { text-align: left; font-weight: 600; font-size: .85rem; color: var(--quiet); padding-top: .9rem; }
.compare tbody th[scope=row], .card th[scope=row] { position: sticky; left: 0; background: var(--card); z-index: 1; }
.best { background: var(--best); }
.none, .note { color: var(--quiet); }
.note { margin: .3rem 0 0; font-size: .85rem; }
.stack { display: flex; height: 1.4rem; border-radius: .25rem; overflow: hidden; background: var(--line); }
.stack span { min-width: 0; }
.legend { list-style: none; display: flex; flex-wrap: wrap; gap: .15rem 1.1rem; font-size: .88rem; padding: 0 !important;
  margin-top: .3rem !important; }
.legend li { margin: 0 !important; }
.legend i { display: inline-block; width: .75rem; height: .75rem; border-radius: .15rem; margin-right: .35rem; }
.c0 { background: var(--c0); } .c1 { background: var(--c1); } .c2 { background: var(--c2); }
.c3 { background: var(--c3); } .c4 { background: var(--c4); } .c5 { background: var(--c5); }
.bar { display: inline-block; width: 4.5rem; height: .7rem; margin-right: .5rem; background: var(--line);
  border-radius: .2rem; overflow: hidden; vertical-align: middle; }
.bar span { display: block; height: 100%; background: var(--c0); }
.bar + .figure { display: inline-block; min-width: 4em; }
.units { margin-top: .7rem; font-size: .9rem; }
.histogram { display: flex; align-items: flex-end; gap: .3rem; min-width: 24rem; padding-top: .3rem; }
.column { flex: 1 1 0; min-width: 2.6rem; text-align: center; font-size: .78rem; }
.column b { font-weight: 400; color: var(--quiet); white-space: nowrap; }
.column span:not(.figure) { display: block; background: var(--c0); border-radius: .2rem .2rem 0 0; min-height: 1px;
  height: calc(var(--share) * 100px); }
.column small { display: block; border-top: 1px solid var(--line); white-space: nowrap; }
summary { cursor: pointer; color: var(--accent); margin: .4rem 0; }
footer { margin-top: 2rem; color: var(--quiet); font-size: .85rem; }
@media (max-width: 40rem) {
  main { padding: 1rem .6rem 2rem; }
  th, td { padding: .25rem .4rem; }
  .card { padding: .7rem .6rem; }
  .compare th[scope=row] { white-space: normal; min-width: 7rem; }
  .card thead th { white-space: normal; }
  .bar { width: 2.5rem; }
  .histogram { display: block; min-width: 0; }
  .column { display: flex; align-items: center; gap: .4rem; text-align: right; }
  .column small { order: -1; flex: 0 0 4rem; border: 0; }
  .column b { order: 1; }
  .column span:not(.figure) { width: calc(var(--share) * (100% - 9rem)); min-width: 1px; height: .8rem; border-radius: 0 .2rem .2rem 0; }
}
"""
