import CryptoCore
import LinkedDataKit
import TestSupport
import Testing

/// The test suite of RDFC-1.0.
@Suite(.enabled(if: VectorSet("rdf-canon").isAvailable, VectorSet.absence))
struct RDFCanonicalizationVectorTests {
    private struct Manifest: Decodable {
        let entries: [Entry]
    }

    private struct Entry: Decodable {
        let id: String
        let type: String
        let action: String
        let result: String?
        let hashAlgorithm: String?
    }

    private let set = VectorSet("rdf-canon")

    private func bytes(of path: String) throws -> [UInt8] {
        let file = try #require(set.file(path))
        return try file.bytes()
    }

    @Test func everyEntryOfTheSuitePasses() throws {
        let manifest = try #require(set.file("manifest.jsonld"))
        var counts: [String: Int] = [:]
        var most = 0
        for entry in try manifest.decode(Manifest.self).entries {
            let input = try RDFDataset(parsing: bytes(of: entry.action))
            let algorithm: HashAlgorithm = entry.hashAlgorithm == "SHA384" ? .sha384 : .sha256
            if entry.type.hasSuffix("NegativeEvalTest") {
                #expect(code { try input.canonicalized(using: algorithm) } == .limitExceeded, "\(entry.id)")
            } else {
                let result = try #require(entry.result)
                let expected = try #require(set.file(result))
                let canonical = try input.canonicalized(using: algorithm)
                most = max(most, canonical.hashNDegreeCalls)
                if entry.type.hasSuffix("MapTest") {
                    let map = try expected.decode([String: String].self)
                    let issued = map.keys.reduce(into: [:]) {
                        $0[$1] = canonical.issuedIdentifiers[ExactText($1)]?.text
                    }
                    #expect(issued == map, "\(entry.id)")
                    #expect(canonical.issuedIdentifiers.count == map.count, "\(entry.id)")
                } else {
                    let bytes = try expected.bytes()
                    #expect(canonical.nQuads == bytes, "\(entry.id)")
                    #expect(try RDFDataset(parsing: canonical.nQuads).canonicalNQuads(using: algorithm) == bytes)
                }
            }
            counts[entry.type, default: 0] += 1
        }
        manifest.report(ran: counts.values.reduce(0, +))
        print("vectors:   \(counts.sorted { $0.key < $1.key }), at most \(most) runs of Hash N-Degree Quads")
    }
}

/// The code of the error that a closure throws, or nil.
func code<Value>(_ body: () throws -> Value) -> LinkedDataError.Code? {
    do {
        _ = try body()
        return nil
    } catch let error as LinkedDataError {
        return error.code
    } catch {
        return nil
    }
}
