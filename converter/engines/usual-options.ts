/** What options of a conversion are where a request does not say (integration API, 9.1). */
export const usualThumbnail = { aspect: 2, first: true, width: 100, height: 100 };
export const usualMargins = { left: '17.8mm', right: '17.8mm', top: '19.1mm', bottom: '19.1mm' };
export const usualPageSize = { width: '210mm', height: '297mm' };
export const usualScale = 100;
