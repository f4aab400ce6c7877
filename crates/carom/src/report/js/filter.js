// Buttons that leave the rows of one mark in all tables of claims; headings of tables and other tables stay.
document.querySelectorAll(".filter").forEach((choices) => {
  const buttons = [...choices.querySelectorAll("button")];
  const marks = buttons.map((button) => button.dataset.show).filter((mark) => mark !== "");
  function show(chosen) {
    buttons.forEach((button) => button.setAttribute("aria-pressed", String(button === chosen)));
    const mark = chosen.dataset.show;
    const start = choices.closest("section");
    document.querySelectorAll("tbody tr").forEach((row) => {
      const claim = marks.some((known) => row.querySelector("td." + known));
      const below = start.compareDocumentPosition(row) & Node.DOCUMENT_POSITION_FOLLOWING;
      row.hidden = Boolean(mark !== "" && claim && below && !row.querySelector("td." + mark));
    });
  }
  buttons.forEach((button) => button.addEventListener("click", () => show(button)));
  document.addEventListener("paperchange", () => { if (page.dataset.paper) show(buttons[0]); });
});
