/** What the payment provider's own element can be asked; nothing of the card comes out of it. */
export type CardElement = {
  /** Gives the card to the provider. The answer is whether it was taken, or the provider's word for why not. */
  confirm: () => Promise<{ taken: true } | { taken: false; declineCode: string }>
}
