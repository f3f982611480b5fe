import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import {
  defaultResource,
  detectResources,
  envDetector,
  resourceFromAttributes,
} from '@opentelemetry/resources';
import { BatchSpanProcessor, NodeTracerProvider } from '@opentelemetry/sdk-trace-node';

/** What sends spans by OTLP over HTTP, as the standard `OTEL_…` variables say. Loaded only where traces are wanted. */
export function traceProvider(serviceName: string): NodeTracerProvider {
  const named = resourceFromAttributes({ 'service.name': serviceName });
  const detected = detectResources({ detectors: [envDetector] });
  return new NodeTracerProvider({
    resource: defaultResource().merge(named).merge(detected),
    spanProcessors: [new BatchSpanProcessor(new OTLPTraceExporter())],
  });
}
