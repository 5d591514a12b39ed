import Harness

/// Runs the benchmarks of the layers named on the command line, or of all.
@main
enum Benchmarks {
    private static let all: [any LayerBenchmarks.Type] = [
        CBORBenchmarks.self, JSONBenchmarks.self, IdemixBenchmarks.self, CryptoBenchmarks.self,
        CertificateBenchmarks.self,
        AEADBenchmarks.self, COSEBenchmarks.self, JOSEBenchmarks.self, StatusListBenchmarks.self, MdocBenchmarks.self,
        MdocForgeryBenchmarks.self,
        SDJWTBenchmarks.self, SessionStoreBenchmarks.self, LinkedDataBenchmarks.self, OID4VPBenchmarks.self,
        OID4VPHostileBenchmarks.self, IRMABenchmarks.self,
    ]

    static func main() async throws {
        var names = CommandLine.arguments.dropFirst().map { $0.lowercased() }
        let asJSON = names.contains("--json")
        names.removeAll { $0 == "--json" }
        let unknown = names.filter { name in !all.contains { $0.layer.lowercased() == name } }
        guard unknown.isEmpty else {
            print(
                "no such layer: \(unknown.joined(separator: ", ")); there are \(all.map { $0.layer }.joined(separator: ", "))"
            )
            return
        }
        Core.available.last?.hold()
        let report = Report(asJSON: asJSON)
        for layer in all where names.isEmpty || names.contains(layer.layer.lowercased()) {
            try await layer.run(Stopwatch(), report: report.add)
        }
    }
}
