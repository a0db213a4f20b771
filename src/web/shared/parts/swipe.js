// Recognises a swipe to the left over a row. The row follows the finger and uncovers the name of
// the action. A movement that begins as scrolling never becomes a swipe.

const BEGIN = 12; // pixels after which a movement is a swipe or scrolling
const SHARE = 0.4; // share of a row's width: a shorter swipe has no effect

/**
 * @param {HTMLElement} list
 * @param {(target: EventTarget | null) => HTMLElement | null} itemOf returns the row at which a
 *   touch begins; null: the row cannot be swiped
 * @param {string} name of the action
 * @param {(item: HTMLElement) => void} act
 */
export function watchSwipes(list, itemOf, name, act) {
  /** @type {{item: HTMLElement, x: number, y: number, by: number | null} | null} */
  let swipe = null;
  const end = () => {
    if (!swipe) return;
    const { item } = swipe;
    item.removeAttribute("data-swiped");
    /** @type {HTMLElement} */ (item.firstElementChild).style.transform = "";
    swipe = null;
  };
  const passive = { passive: true };
  list.addEventListener(
    "touchstart",
    ({ target, touches }) => {
      end();
      const item = touches.length === 1 ? itemOf(target) : null;
      if (item) swipe = { item, x: touches[0].clientX, y: touches[0].clientY, by: null };
    },
    passive,
  );
  list.addEventListener(
    "touchmove",
    ({ touches }) => {
      if (!swipe) return;
      const [right, down] = [touches[0].clientX - swipe.x, touches[0].clientY - swipe.y];
      if (swipe.by === null && Math.max(Math.abs(right), Math.abs(down)) < BEGIN) return;
      if (touches.length > 1 || (swipe.by === null && -right < 2 * Math.abs(down))) return end();
      swipe.by = Math.min(0, right);
      swipe.item.dataset.swiped = name;
      /** @type {HTMLElement} */ (swipe.item.firstElementChild).style.transform =
        `translateX(${swipe.by}px)`;
    },
    passive,
  );
  list.addEventListener("touchend", () => {
    const done = swipe;
    end();
    if (done?.by && -done.by > SHARE * done.item.offsetWidth) act(done.item);
  });
  list.addEventListener("touchcancel", end);
}
