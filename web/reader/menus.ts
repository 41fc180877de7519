// The two menus of the masthead: Escape or a press elsewhere closes them, and only one is open.

export function startMenus(): void {
  const menus = [...document.querySelectorAll<HTMLDetailsElement>('details.menu')];
  const close = (except?: Element | null) => menus.filter((menu) => menu !== except).forEach((menu) => (menu.open = false));
  for (const menu of menus) {
    menu.addEventListener('toggle', () => menu.open && close(menu));
    menu.addEventListener('keydown', (event) => {
      if (event.key !== 'Escape' || !menu.open) return;
      menu.open = false;
      menu.querySelector('summary')?.focus();
    });
  }
  document.addEventListener('pointerdown', (event) => close((event.target as Element).closest('details.menu')));
  document.addEventListener('focusin', (event) => close((event.target as Element).closest('details.menu')));
}
