#if Server
import CoreMetrics
import CredentialServingOperations
import Testing

@Suite struct MetricsRegistryTests {
    private func lines(_ registry: MetricsRegistry) -> [Substring] { registry.text().split(separator: "\n") }

    @Test func writesTheTextFormat() throws {
        let registry = MetricsRegistry()
        try registry.describe("requests_total", help: "Requests\nby \\ status.")
        try registry.describe("size", help: "Sizes.", bounds: [1, 2.5, 10])
        Counter(label: "requests_total", dimensions: [("status", "2xx"), ("a", "b")], factory: registry).increment(
            by: 3
        )
        Counter(label: "requests_total", dimensions: [("status", "5xx"), ("a", "b")], factory: registry).increment()
        Meter(label: "active", factory: registry).set(4)
        Meter(label: "active", factory: registry).decrement(by: 1.5)
        for value in [0.5, 1, 2, 3, 20] { Recorder(label: "size", factory: registry).record(value) }
        Timer(label: "took", factory: registry).recordMilliseconds(1500)
        let text = registry.text()
        #expect(text.hasPrefix("# TYPE active gauge\nactive 2.5\n# HELP requests_total Requests\\nby \\\\ status.\n"))
        #expect(
            text.contains(
                "# TYPE requests_total counter\nrequests_total{a=\"b\",status=\"2xx\"} 3\nrequests_total{a=\"b\",status=\"5xx\"} 1\n"
            )
        )
        #expect(
            text.contains(
                """
                # HELP size Sizes.
                # TYPE size histogram
                size_bucket{le="1"} 2
                size_bucket{le="2.5"} 3
                size_bucket{le="10"} 4
                size_bucket{le="+Inf"} 5
                size_sum 26.5
                size_count 5

                """
            )
        )
        #expect(text.contains("took_seconds_bucket{le=\"1\"} 0\ntook_seconds_bucket{le=\"2.5\"} 1\n"))
        #expect(text.contains("took_seconds_sum 1.5\ntook_seconds_count 1\n"))
        #expect(text.hasSuffix("metrics_overflowed_total 0\n"))
    }

    @Test func escapesLabels() {
        let registry = MetricsRegistry()
        Counter(label: "x", dimensions: [("l", "a\\b\"c\nd")], factory: registry).increment()
        #expect(registry.text().contains("x{l=\"a\\\\b\\\"c\\nd\"} 1\n"))
        #expect(!registry.text().contains("c\nd"))
    }

    @Test(arguments: [
        ("http.server.requests", "http_server_requests"), ("9lives", "_9lives"), ("", "_"), ("a:b", "a:b"),
        ("é-x", "__x"),
        ("a{b=\"c\"} 1\nz", "a_b__c___1_z"),
    ])
    func namesKeepToTheFormat(label: String, name: String) {
        let registry = MetricsRegistry()
        Counter(label: label, factory: registry).increment()
        #expect(lines(registry).contains("\(name) 1"))
    }

    @Test func labelNamesKeepToTheFormat() {
        let registry = MetricsRegistry()
        Counter(label: "x", dimensions: [("le", "1"), ("__name__", "2"), ("a:b", "3"), ("1", "4")], factory: registry)
            .increment()
        #expect(lines(registry).contains("x{_1=\"4\",_name__=\"2\",a_b=\"3\",le_=\"1\"} 1"))
    }

    @Test func seriesAreBounded() {
        let registry = MetricsRegistry(limits: MetricsLimits(maximumSeries: 10))
        for index in 0..<1000 {
            Counter(label: "x", dimensions: [("user", "u\(index)")], factory: registry).increment()
        }
        let series = lines(registry).filter { $0.hasPrefix("x{") }
        #expect(series.count == 11)
        #expect(series.contains("x{user=\"other\"} 990"))
        #expect(lines(registry).contains("metrics_overflowed_total 990"))
        for index in 0..<1000 {
            Counter(label: "x", dimensions: [("n\(index)", "v")], factory: registry).increment()
        }
        #expect(lines(registry).filter { $0.hasPrefix("x{") }.count <= 20)
    }

    @Test func metricsAreBounded() {
        let registry = MetricsRegistry(limits: MetricsLimits(maximumMetrics: 5))
        for index in 0..<20 { Counter(label: "m\(index)", factory: registry).increment() }
        #expect(lines(registry).filter { $0.hasPrefix("m") && !$0.hasPrefix("metrics_") }.count == 5)
        #expect(lines(registry).contains("metrics_dropped_total 15"))
    }

    @Test func labelValuesAreBounded() {
        let registry = MetricsRegistry(limits: MetricsLimits(maximumLabelSize: 5))
        Counter(label: "x", dimensions: [("l", "abcdéfg")], factory: registry).increment()
        #expect(lines(registry).contains("x{l=\"abcd\"} 1"))
    }

    @Test func oneNameHasOneKind() {
        let registry = MetricsRegistry()
        Counter(label: "x", factory: registry).increment()
        Meter(label: "x", factory: registry).set(5)
        Counter(label: "metrics_dropped_total", factory: registry).increment(by: 50)
        #expect(lines(registry).contains("x 1"))
        #expect(lines(registry).contains("metrics_dropped_total 2"))
        #expect(lines(registry).filter { $0.hasPrefix("metrics_dropped_total") }.count == 1)
    }

    @Test func countersOnlyRise() {
        let registry = MetricsRegistry()
        let counter = FloatingPointCounter(label: "x", factory: registry)
        counter.increment(by: 1.5)
        counter.increment(by: -1)
        counter.increment(by: Double.nan)
        counter.increment(by: Double.infinity)
        #expect(lines(registry).contains("x 1.5"))
        counter.reset()
        #expect(lines(registry).contains("x 0"))
    }

    @Test func writesNumbersThatAreNotFinite() {
        let registry = MetricsRegistry()
        for (label, value) in [("a", Double.nan), ("b", .infinity), ("c", -.infinity), ("d", 1e300)] {
            Recorder(label: label, aggregate: false, factory: registry).record(value)
        }
        for line in ["a NaN", "b +Inf", "c -Inf", "d 1e+300"] { #expect(lines(registry).contains(line[...])) }
    }

    @Test func forgetsDestroyedMetrics() {
        let registry = MetricsRegistry()
        let counter = Counter(label: "x", factory: registry)
        counter.increment()
        counter.destroy()
        let meter = Meter(label: "y", factory: registry)
        meter.set(1)
        meter.destroy()
        Timer(label: "z", factory: registry).destroy()
        Recorder(label: "w", factory: registry).destroy()
        FloatingPointCounter(label: "v", factory: registry).destroy()
        #expect(lines(registry).allSatisfy { $0.contains("metrics_") })
    }

    @Test(arguments: [[], [2, 1], [1, 1], [1, .infinity], [.nan], Array(stride(from: 0.0, to: 101, by: 1))])
    func refusesBoundsThatDoNotRise(bounds: [Double]) {
        refusal(.invalidBounds) { try MetricsRegistry().describe("x", help: "", bounds: bounds) }
    }

    @Test func countsFromManyTasks() async {
        let registry = MetricsRegistry()
        await withTaskGroup { group in
            for _ in 0..<8 {
                group.addTask {
                    for _ in 0..<1000 { Counter(label: "x", dimensions: [("a", "b")], factory: registry).increment() }
                }
            }
        }
        #expect(lines(registry).contains("x{a=\"b\"} 8000"))
    }
}
#endif
