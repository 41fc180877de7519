// A frame that scrolls is a stop for the Tab key; one in which everything is in sight is none. Without a script all stay
// stops, as nobody knows what fits.

export function startScrollers(): void {
  const watch = new ResizeObserver((entries) => {
    for (const { target } of entries) weigh(target.closest<HTMLElement>(frames)!);
  });
  const look = () => {
    for (const frame of document.querySelectorAll(frames)) {
      watch.observe(frame);
      if (frame.firstElementChild) watch.observe(frame.firstElementChild);
    }
  };
  look();
  // Tables of figures come with their figures, and when they are opened.
  document.addEventListener('alive', () => setTimeout(look));
  document.addEventListener('toggle', () => setTimeout(look), { capture: true });
}

const frames = '[role=region][tabindex]';

function weigh(frame: HTMLElement): void {
  const scrolls = frame.scrollWidth > frame.clientWidth + 1 || frame.scrollHeight > frame.clientHeight + 1;
  // −1, not absent: some browsers make a stop of any frame that could scroll.
  if (frame.tabIndex !== (scrolls ? 0 : -1)) frame.tabIndex = scrolls ? 0 : -1;
}
