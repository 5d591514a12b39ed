import JSONKit
import OID4VPMessages
import SDJWTKit
import TestSupport
import Testing

@Suite(.enabled(if: vectors.isAvailable, VectorSet.absence))
struct DCQLVectorTests {
    @Test(arguments: vectorFiles(with: "validity"))
    func readsValidQueriesAlone(_ file: VectorFile) throws {
        let cases = try file.json().cases("validity")
        for entry in cases {
            let query = try #require(entry["query"])
            let id = try entry.text("id")
            if entry["expected"] == "valid" {
                let read = try DCQLQuery(json: query)
                #expect(read.deviations.isEmpty, "\(id)")
                #expect(try DCQLQuery(json: read.json).json == read.json, "\(id)")
            } else {
                expect(.invalidQuery) { () throws(OID4VPError) in try DCQLQuery(json: query) }
            }
        }
        file.report(ran: cases.count)
    }

    @Test(arguments: vectorFiles(with: "pointers"))
    func followsPointers(_ file: VectorFile) throws {
        let cases = try file.json().cases("pointers")
        for entry in cases {
            let path = try ClaimPath(json: try #require(entry["path"]))
            let claims = try #require(entry["document"]?.objectValue)
            let credential = TestCredential("c", .sdJWT, claims: claims)
            let query = try DCQLQuery(credentials: [
                CredentialQuery(id: "q", format: .sdJWT, claims: [ClaimQuery(path: path)])
            ])
            let result = query.evaluate(over: [credential])
            if let selected = entry["selected"]?.arrayValue {
                #expect(try path.values(in: .object(claims)) == selected, "\(path)")
                #expect(result.isSatisfied, "\(path)")
            } else {
                #expect(result["q"]?.mismatches.first?.reason == .missingClaims, "\(path)")
            }
        }
        file.report(ran: cases.count)
    }

    @Test(arguments: vectorFiles(with: "pointers"))
    func evaluates(_ file: VectorFile) throws {
        let json = try file.json()
        let store = try #require(json["store"]?.objectValue).map { try TestCredential($0.name, dcql: $0.value) }
        let cases = try json.cases("evaluation")
        for entry in cases {
            let id = try entry.text("id")
            let result = try DCQLQuery(json: try #require(entry["query"])).evaluate(over: store)
            #expect(.bool(result.isSatisfied) == entry["expected"]?["satisfied"], "\(id)")
            let expected = try #require(entry["expected"]?["matches"]?.objectValue)
            #expect(result.queries.map(\.id.text) == expected.names, "\(id)")
            for (name, matches) in expected {
                let found = result[QueryID(name)]?.matches ?? []
                let json = found.map { match -> JSONValue in
                    ["credential": .string(match.credential.text), "claims": .array(match.claims.map(\.json))]
                }
                #expect(.array(json) == matches, "\(id), \(name)")
            }
            #expect((try? result.preferredPlan()) != nil || !result.isSatisfied, "\(id)")
        }
        file.report(ran: cases.count)
    }
}
