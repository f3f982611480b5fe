/** Of a notice with a button that takes back the last change of this person: it goes with their next one. */
export const offerTopic = 'sheet-offer';
