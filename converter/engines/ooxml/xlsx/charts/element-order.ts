/** The order in which the schema wants the children of elements of charts (21.2). Of groups and series all kinds have one order. */

export const SPACE_ORDER = [
  ...[
    'c:date1904',
    'c:lang',
    'c:roundedCorners',
    'mc:AlternateContent',
    'c:style',
    'c:clrMapOvr',
    'c:pivotSource',
  ],
  ...[
    'c:protection',
    'c:chart',
    'c:spPr',
    'c:txPr',
    'c:externalData',
    'c:printSettings',
    'c:userShapes',
    'c:extLst',
  ],
];
export const CHART_ORDER = [
  ...['c:title', 'c:autoTitleDeleted', 'c:pivotFmts', 'c:view3D', 'c:floor', 'c:sideWall', 'c:backWall'],
  ...['c:plotArea', 'c:legend', 'c:plotVisOnly', 'c:dispBlanksAs', 'c:showDLblsOverMax', 'c:extLst'],
];
export const GROUP_ORDER = [
  ...[
    'c:barDir',
    'c:scatterStyle',
    'c:wireframe',
    'c:radarStyle',
    'c:ofPieType',
    'c:grouping',
    'c:varyColors',
  ],
  ...[
    'c:ser',
    'c:dLbls',
    'c:dropLines',
    'c:hiLowLines',
    'c:upDownBars',
    'c:gapWidth',
    'c:gapDepth',
    'c:shape',
  ],
  ...[
    'c:overlap',
    'c:serLines',
    'c:marker',
    'c:smooth',
    'c:firstSliceAng',
    'c:holeSize',
    'c:axId',
    'c:extLst',
  ],
];
export const SERIES_ORDER = [
  ...[
    'c:idx',
    'c:order',
    'c:tx',
    'c:spPr',
    'c:invertIfNegative',
    'c:pictureOptions',
    'c:marker',
    'c:explosion',
  ],
  ...['c:dPt', 'c:dLbls', 'c:trendline', 'c:errBars', 'c:cat', 'c:xVal', 'c:val', 'c:yVal', 'c:smooth'],
  ...['c:bubbleSize', 'c:bubble3D', 'c:shape', 'c:extLst'],
];
export const POINT_ORDER = [
  ...[
    'c:idx',
    'c:invertIfNegative',
    'c:marker',
    'c:bubble3D',
    'c:explosion',
    'c:spPr',
    'c:pictureOptions',
    'c:extLst',
  ],
];
export const MARKER_ORDER = ['c:symbol', 'c:size', 'c:spPr', 'c:extLst'];
export const LABELS_ORDER = [
  ...['c:dLbl', 'c:delete', 'c:numFmt', 'c:spPr', 'c:txPr', 'c:dLblPos', 'c:showLegendKey', 'c:showVal'],
  ...[
    'c:showCatName',
    'c:showSerName',
    'c:showPercent',
    'c:showBubbleSize',
    'c:separator',
    'c:showLeaderLines',
  ],
  ...['c:leaderLines', 'c:extLst'],
];
export const AXIS_ORDER = [
  ...[
    'c:axId',
    'c:scaling',
    'c:delete',
    'c:axPos',
    'c:majorGridlines',
    'c:minorGridlines',
    'c:title',
    'c:numFmt',
  ],
  ...['c:majorTickMark', 'c:minorTickMark', 'c:tickLblPos', 'c:spPr', 'c:txPr', 'c:crossAx', 'c:crosses'],
  ...['c:crossesAt', 'c:crossBetween', 'c:auto', 'c:lblAlgn', 'c:lblOffset', 'c:baseTimeUnit', 'c:majorUnit'],
  ...[
    'c:majorTimeUnit',
    'c:minorUnit',
    'c:minorTimeUnit',
    'c:tickLblSkip',
    'c:tickMarkSkip',
    'c:noMultiLvlLbl',
  ],
  ...['c:dispUnits', 'c:extLst'],
];
export const SCALING_ORDER = ['c:logBase', 'c:orientation', 'c:max', 'c:min', 'c:extLst'];
export const LEGEND_ORDER = [
  'c:legendPos',
  'c:legendEntry',
  'c:layout',
  'c:overlay',
  'c:spPr',
  'c:txPr',
  'c:extLst',
];
export const TITLE_ORDER = ['c:tx', 'c:layout', 'c:overlay', 'c:spPr', 'c:txPr', 'c:extLst'];
export const DATA_ORDER = ['c:f', 'c:strCache', 'c:numCache', 'c:multiLvlStrCache', 'c:extLst'];
export const PROPERTIES_ORDER = [
  ...[
    'a:xfrm',
    'a:custGeom',
    'a:prstGeom',
    'a:noFill',
    'a:solidFill',
    'a:gradFill',
    'a:blipFill',
    'a:pattFill',
  ],
  ...['a:grpFill', 'a:ln', 'a:effectLst', 'a:effectDag', 'a:scene3d', 'a:sp3d', 'a:extLst'],
];
export const LINE_ORDER = [
  ...[
    'a:noFill',
    'a:solidFill',
    'a:gradFill',
    'a:pattFill',
    'a:prstDash',
    'a:custDash',
    'a:round',
    'a:bevel',
  ],
  ...['a:miter', 'a:headEnd', 'a:tailEnd', 'a:extLst'],
];
