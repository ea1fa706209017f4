const WEB_ADDRESS = /(https?:\/\/[^\s<>"]*[^\s<>"'.,;:!?)\]}])/;

/** Shows the text of a message, with links for web addresses. */
export function MessageText({ text }: { text: string }) {
  return (
    <div class="mail-text" dir="auto">
      {text.split(WEB_ADDRESS).map((piece, i) =>
        i % 2 === 1 ? (
          <a key={i} href={piece} target="_blank" rel="noopener noreferrer">
            {piece}
          </a>
        ) : (
          piece
        ),
      )}
    </div>
  );
}
