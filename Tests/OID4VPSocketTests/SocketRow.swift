#if Server && Client
import JSONKit
import OID4VPMessages
import OID4VPTesting
import OID4VPVerifier
import Testing

/// A combination of the matrix that goes over HTTP: one of each version, response mode, delivery and format.
struct SocketRow: Sendable, CustomTestStringConvertible {
    let combination: Combination

    var testDescription: String { combination.testDescription }

    /// The rows; the clients that a version allows take turns.
    static let all: [SocketRow] = {
        let posted: Set<ResponseMode> = [.directPost, .directPostJWT, .digitalCredentials, .digitalCredentialsJWT]
        var groups: [(key: [String], combinations: [Combination])] = []
        for combination in Combination.allowed where posted.contains(combination.mode) {
            let key = [
                combination.version.rawValue, combination.mode.text, combination.delivery.rawValue,
                combination.format.text,
            ]
            if let place = groups.firstIndex(where: { $0.key == key }) {
                groups[place].combinations.append(combination)
            } else {
                groups.append((key, [combination]))
            }
        }
        return groups.enumerated().map { number, group in
            let chosen = group.combinations[number % group.combinations.count]
            // An unsigned request of the platform is that of a client without a key.
            guard chosen.delivery == .platformUnsigned else { return SocketRow(combination: chosen) }
            return SocketRow(
                combination: Combination(
                    client: .redirectURI,
                    mode: chosen.mode,
                    delivery: chosen.delivery,
                    format: chosen.format
                )
            )
        }
    }()

    /// The name of the relying party.
    var party: String {
        let isMulti = combination.delivery == .platformMultiSigned
        return "\(combination.client)\(combination.delivery.isSigned ? "" : "-unsigned")\(isMulti ? "-multi" : "")"
    }

    /// The requestor's wish in JSON.
    func wish() throws -> JSONValue {
        var wish: JSONObject = ["relying_party": .string(party), "encrypted": .bool(combination.mode.isJWT)]
        switch try combination.query() {
        case .dcql(let query): wish["dcql_query"] = query.json
        case .definition(let definition): wish["presentation_definition"] = definition.json
        }
        switch combination.delivery {
        case .unsignedValue, .signedValue: wish["form"] = "value"
        case .get, .post: wish["request_uri_method"] = .string(combination.delivery.rawValue)
        default: wish["form"] = "digital_credentials"
        }
        let names: [OpenID4VPVersion: String] = [.draft21: "draft21", .draft23: "draft23", .v1: "1.0"]
        wish["version"] = names[combination.version].map { .string($0) }
        return .object(wish)
    }
}
#endif
