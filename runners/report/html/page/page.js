// The page as a whole: its parts in order, the theme, what is printed.

/** Light, dark, or as the system has it; kept where the browser lets a file keep something. */
function setTheme(theme) {
  if (theme === 'system') document.documentElement.removeAttribute('data-theme');
  else document.documentElement.dataset.theme = theme;
  byId('theme-name').textContent = theme;
  try { localStorage.setItem('cdna-cts-theme', theme); } catch { /* the choice lasts as long as the page */ }
}

function startTheme() {
  const themes = ['system', 'light', 'dark'];
  let kept = null;
  try { kept = localStorage.getItem('cdna-cts-theme'); } catch { /* not here */ }
  setTheme(themes.includes(kept) ? kept : 'system');
  byId('theme').addEventListener('click', () =>
    setTheme(themes[(themes.indexOf(byId('theme-name').textContent) + 1) % themes.length]));
}

/** On paper the claims that call for action are open, and what is folded on the screen is not. */
function preparePrint() {
  for (const claim of report.claims)
    if (!byId(claim.id).hidden && Object.values(claim.targets).some(({ verdict }) => ['violated', 'flaky'].includes(verdict)))
      setOpen(claim.id, true);
  for (const details of document.querySelectorAll('#legend, .claim .about details')) details.open = true;
}

startTheme();
drawSummary();
drawFilter();
drawClaims();
drawLayouts();
drawHazards();
drawThroughput();
window.addEventListener('beforeprint', preparePrint);
followAddress();
if (location.hash === '') applyFilter();
