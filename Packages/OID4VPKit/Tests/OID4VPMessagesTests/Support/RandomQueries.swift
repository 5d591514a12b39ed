import JSONKit
import OID4VPMessages
import SDJWTKit
import TestSupport

/// Makes credentials and queries at random, out of few names and values, so that many of them fit.
struct RandomQueries {
    private var generator: RepeatableRandomNumberGenerator

    private static let names = ["a", "b", "c", "d"]
    private static let formats: [CredentialFormat] = [.sdJWT, .olderSDJWT, .mdoc, .linkedData, .jwt]

    init(seed: UInt64) {
        generator = RepeatableRandomNumberGenerator(seed: seed)
    }

    private mutating func number(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &generator) }
    private mutating func chance(_ percent: Int) -> Bool { number(1...100) <= percent }
    private mutating func name() -> String { Self.names[number(0...3)] }

    private mutating func scalar() -> JSONValue {
        switch number(0...2) {
        case 0: .string(name())
        case 1: .integer(number(0...2))
        default: .bool(chance(50))
        }
    }

    // MARK: Credentials

    private mutating func value(depth: Int) -> JSONValue {
        guard depth > 0, chance(60) else { return scalar() }
        if chance(40) { return .array((0..<number(0...3)).map { _ in value(depth: depth - 1) }) }
        return .object(object(depth: depth - 1))
    }

    private mutating func object(depth: Int) -> JSONObject {
        JSONObject((0..<number(1...4)).map { _ in (name: name(), value: value(depth: depth)) })
    }

    mutating func credential(named id: String) -> TestCredential {
        let format = Self.formats[number(0...4)]
        var claims = object(depth: 3)
        if format == .mdoc {
            claims = JSONObject((0..<2).map { _ in (name: name(), value: .object(object(depth: 0))) })
        }
        if format.current == .sdJWT { claims["vct"] = .string(name()) }
        let types = format.current == .sdJWT ? claims["vct"].flatMap(\.stringValue) : name()
        return TestCredential(
            CredentialName(id),
            format,
            types: [ExactText(types ?? "a")],
            claims: claims,
            isHolderBound: chance(80)
        )
    }

    // MARK: DCQL

    private mutating func path(_ format: CredentialFormat) -> ClaimPath {
        guard format != .mdoc else { return [.name(name()), .name(name())] }
        return ClaimPath(
            (0..<number(1...3)).map { _ in
                switch number(0...9) {
                case 0...6: .name(name())
                case 7: .all
                default: .index(number(0...2))
                }
            }
        )
    }

    private mutating func query(named id: String) -> CredentialQuery {
        let format = Self.formats[number(0...4)]
        let claims = (0..<number(0...4)).map { place in
            ClaimQuery(
                id: ExactText("c\(place)"),
                path: path(format),
                values: chance(30) ? [scalar(), scalar()] : []
            )
        }
        let hasSets = !claims.isEmpty && chance(40)
        return CredentialQuery(
            id: QueryID(id),
            format: format,
            type: format.current == .sdJWT && chance(40) ? .vct([ExactText(name()), ExactText(name())]) : .any,
            allowsMultiple: chance(30),
            requiresHolderBinding: chance(70),
            claims: claims,
            claimSets: hasSets
                ? (0..<number(1...3)).map { _ in
                    (0..<number(1...2)).map { _ in claims[number(0...claims.count - 1)].id ?? "" }
                }
                : []
        )
    }

    mutating func dcql() throws -> DCQLQuery {
        let queries = (0..<number(1...4)).map { query(named: "q\($0)") }
        let sets = (0..<(chance(50) ? number(1...2) : 0)).map { _ in
            CredentialSetQuery(
                options: (0..<number(1...3)).map { _ in
                    (0..<number(1...2)).map { _ in queries[number(0...queries.count - 1)].id }
                },
                isRequired: chance(70)
            )
        }
        return try DCQLQuery(credentials: queries, credentialSets: sets)
    }

    // MARK: Presentation Exchange

    /// A definition that says nothing that DCQL could not say.
    mutating func convertibleDefinition() -> JSONValue {
        let descriptors = (0..<number(1...3)).map { place -> JSONValue in
            let format = Self.formats[number(0...2)]
            var fields: [JSONValue] = []
            for _ in 0..<number(0...3) {
                var members: JSONObject = ["path": .array((0..<number(1...2)).map { _ in .string(jsonPath(format)) })]
                if chance(30) { members["filter"] = ["enum": [scalar(), scalar()]] }
                if !fields.isEmpty && chance(20) { members["optional"] = true }
                fields.append(.object(members))
            }
            return [
                "id": .string(format == .mdoc && place == 0 ? name() : "d\(place)"), "group": ["G"],
                "format": .object([format.text: [:]]), "constraints": ["fields": .array(fields)],
            ]
        }
        var members: JSONObject = ["id": "p", "input_descriptors": .array(descriptors)]
        if chance(50) {
            members["submission_requirements"] = [
                ["rule": "pick", "count": .integer(number(1...descriptors.count)), "from": "G"]
            ]
        }
        return .object(members)
    }

    private mutating func jsonPath(_ format: CredentialFormat) -> String {
        guard format != .mdoc else { return "$['\(name())']['\(name())']" }
        return (0..<number(1...3)).reduce(into: "$") { text, _ in
            text += chance(80) ? ".\(name())" : "[\(number(0...2))]"
        }
    }
}
