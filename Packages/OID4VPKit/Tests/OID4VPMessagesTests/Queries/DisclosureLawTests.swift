import JSONKit
import OID4VPMessages
import SDJWTKit
import Testing

/// Laws that hold for every query and every store: only what was asked for is planned.
struct DisclosureLawTests {
    @Test(arguments: 0..<500)
    func planHoldsOnlyWhatWasAskedFor(_ seed: Int) throws {
        var random = RandomQueries(seed: UInt64(seed))
        let store = (0..<8).map { random.credential(named: "c\($0)") }
        let query = try random.dcql()
        let result = query.evaluate(over: store)
        for outcome in result.queries {
            let asked = try #require(query[outcome.id])
            #expect(outcome.matches.count + outcome.mismatches.count == store.count)
            for match in outcome.matches {
                let credential = try #require(store.first { $0.credentialName == match.credential })
                #expect(credential.format.current == asked.format.current)
                #expect(credential.isHolderBound || !asked.requiresHolderBinding)
                // The claims are those of one claim set, or all of the query.
                let wanted = match.claimSet.map { Set(asked.claimSets[$0]) }
                let expected = asked.claims.filter { claim in
                    claim.id.map { wanted?.contains($0) ?? true } ?? (wanted == nil)
                }
                #expect(Set(match.claims) == Set(expected.map(\.path)))
                for path in match.disclosedPaths {
                    #expect(expected.contains { $0.path == path || $0.asks(forElementAt: path) })
                }
                for claim in expected {
                    let places = match.disclosedPaths.filter(claim.asks(forElementAt:))
                    #expect(claim.isAboutElements ? !places.isEmpty : match.disclosedPaths.contains(claim.path))
                    // Of the elements only those that are asked for.
                    for place in places where !expected.contains(where: { $0.path == place }) {
                        let values = try place.values(in: .object(credential.claims))
                        #expect(values.count == 1)
                        #expect(expected.contains { $0.asks(forElementAt: place) && $0.values.contains(values[0]) })
                    }
                    let values = try claim.path.values(in: .object(credential.claims))
                    #expect(!values.isEmpty)
                    #expect(claim.values.isEmpty || values.contains(where: claim.values.contains))
                }
            }
        }
        guard result.isSatisfied else {
            expect(.unsatisfied) { () throws(OID4VPError) in try result.preferredPlan() }
            return
        }
        let plan = try result.preferredPlan()
        for entry in plan.entries {
            #expect(result[entry.query]?.matches.contains(entry.match) == true)
        }
        // Without sets every query is answered, with sets only those of one.
        let answered = Set(plan.entries.map(\.query))
        if query.credentialSets.isEmpty {
            #expect(answered == Set(query.credentials.map(\.id)))
        } else {
            #expect(answered.isSubset(of: query.credentialSets.flatMap { $0.options.flatMap { $0 } }))
            for set in query.credentialSets where set.isRequired {
                #expect(set.options.contains { answered.isSuperset(of: $0) })
            }
        }
    }
}

extension ClaimQuery {
    /// Indicates that the claim is about the elements of an array that have some values.
    fileprivate var isAboutElements: Bool { !values.isEmpty && path.components.contains(.all) }

    fileprivate func asks(forElementAt place: ClaimPath) -> Bool {
        guard isAboutElements, path.components.count == place.components.count else { return false }
        return zip(path.components, place.components).allSatisfy { asked, found in
            if case (.all, .index) = (asked, found) { true } else { asked == found }
        }
    }
}
