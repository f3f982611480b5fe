const pivots = {
  inPivot:
    'Diese Zelle gehört zu einer Pivot-Tabelle. Was hier steht, wird ersetzt, wenn sie aktualisiert wird.',
  pivotChanged:
    'Zellen einer Pivot-Tabelle sind geändert. Was sie jetzt enthalten, wird ersetzt, wenn sie aktualisiert wird.',
  pivotTorn:
    'Ein Teil einer Pivot-Tabelle kann nicht verschoben, gelöscht oder auseinandergeschoben werden. Markieren Sie die ganze Tabelle oder Zellen daneben.',
};

export const texts = { pivots };
