import TestSupport
import Testing

/// Every vector of every file of the set `mdoc`, by the form that it has.
@Suite(.enabled(if: VectorSet("mdoc").isAvailable, VectorSet.absence))
struct MdocVectorTests {
    @Test(arguments: VectorSet("mdoc").files(withExtension: "json"))
    func everyVector(of file: VectorFile) async throws {
        guard let vectors = try MdocVector.all(in: file) else {
            let results = try #require(try MdocVectorChecks.results(in: file), "no runner for the file")
            for (name, value) in results { try MdocVectorChecks.result(name, value) }
            file.report(ran: results.count)
            return
        }
        let context = try MdocVectorContext()
        var count = 0
        var passedOver: [(name: String, reason: String)] = []
        for vector in vectors {
            guard let runner = MdocVectorRunner.all.first(where: { $0.fits(vector) }) else {
                Issue.record("no runner for \(vector.id)")
                continue
            }
            switch runner.action {
            case .check(let check):
                try await check(vector, context)
                count += 1
            case .passOver(let reason):
                passedOver.append((vector.id, reason))
            }
        }
        file.report(ran: count, passedOver: passedOver)
    }
}
