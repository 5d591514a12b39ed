import JOSEKit
import JSONKit
import LinkedDataKit
import SDJWTKit

/// The members of `client_metadata` that say what a verifier takes (section 11.1; for drafts their section 11.1, too).
extension FormatVerifiers {
    /// The formats of a query that are taken, in the order of the query.
    ///
    /// - Throws: ``OID4VPVerifierError/Code/invalidRequest`` for a query that no verifier can answer for.
    func formats(for query: ResponseExpectation.Query) throws(OID4VPVerifierError) -> [CredentialFormat] {
        let own = formats
        var asked: [CredentialFormat] =
            switch query {
            case .dcql(let query): query.credentials.map(\.format.current)
            case .definition(let definition):
                (definition.formats + definition.descriptors.flatMap(\.formats)).map(\.format.credential)
            }
        if asked.isEmpty { asked = own }
        if query.dcql != nil, let other = asked.first(where: { !own.contains($0) }) {
            throw OID4VPVerifierError(.invalidRequest, "nothing verifies the format \(other)", path: ["dcql_query"])
        }
        var taken: [CredentialFormat] = []
        for format in asked where own.contains(format) && !taken.contains(format) { taken.append(format) }
        guard !taken.isEmpty else {
            throw OID4VPVerifierError(.invalidRequest, "nothing verifies any of the formats that are asked for")
        }
        return taken
    }

    /// `vp_formats_supported` of 1.0, or `vp_formats` of drafts.
    func metadata(_ formats: [CredentialFormat], for version: OpenID4VPVersion) -> JSONObject {
        var members = JSONObject()
        for format in formats {
            if version == .v1 {
                members[format.text] = .object(algorithms(format))
            } else {
                for (name, value) in draftAlgorithms(format, version) { members[name] = value }
            }
        }
        return members
    }

    /// The algorithms for a format (appendix B).
    private func algorithms(_ format: CredentialFormat) -> JSONObject {
        switch format {
        case .mdoc: ["issuerauth_alg_values": Self.coseNumbers, "deviceauth_alg_values": Self.coseNumbers]
        case .sdJWT: sdJWTAlgorithms
        case .linkedData: proofSuiteNames
        default: ["alg_values": .names(w3c?.policy.tokens?.algorithms ?? [])]
        }
    }

    /// The names of the proofs that are taken; a list that would be empty is left out.
    private var proofSuiteNames: JSONObject {
        var members: JSONObject = ["proof_type_values": .texts(proofSuites.map(\.type))]
        let cryptosuites = proofSuites.compactMap(\.cryptosuite)
        if !cryptosuites.isEmpty { members["cryptosuite_values"] = .texts(cryptosuites) }
        return members
    }

    private func draftAlgorithms(_ format: CredentialFormat, _ version: OpenID4VPVersion) -> JSONObject {
        switch format {
        case .mdoc: return ["mso_mdoc": ["alg": ["ES256", "ES384", "ES512", "EdDSA"]]]
        case .sdJWT:
            var members: JSONObject = ["vc+sd-jwt": .object(sdJWTAlgorithms)]
            if version != .draft21 { members["dc+sd-jwt"] = .object(sdJWTAlgorithms) }
            return members
        case .linkedData:
            let types: JSONValue = ["proof_type": .texts(proofSuites.map { $0.cryptosuite ?? $0.type })]
            return ["ldp_vp": types, "ldp_vc": types]
        default:
            let names: JSONValue = ["alg": .names(w3c?.policy.tokens?.algorithms ?? [])]
            return ["jwt_vp_json": names, "jwt_vc_json": names]
        }
    }

    private var sdJWTAlgorithms: JSONObject {
        guard let policy = sdJWT?.policy else { return [:] }
        return [
            "sd-jwt_alg_values": .names(policy.issuerAlgorithms.algorithms),
            "kb-jwt_alg_values": .names(policy.holderAlgorithms.algorithms),
        ]
    }

    private var proofSuites: [LinkedDataProofSuite] {
        (w3c?.policy.proofs?.suites ?? []).sorted { $0.description < $1.description }
    }

    /// ES256, ES384, ES512 and EdDSA, polymorphic and fully specified.
    private static let coseNumbers: JSONValue = [-7, -9, -35, -51, -36, -52, -8, -19]
}

extension JSONValue {
    /// Texts, each once.
    static func texts(_ texts: [ExactText]) -> JSONValue {
        var known: Set<ExactText> = []
        return .array(texts.filter { known.insert($0).inserted }.map { .string($0.text) })
    }

    /// Names of algorithms, sorted.
    fileprivate static func names(_ algorithms: Set<JWSAlgorithm>) -> JSONValue {
        .array(algorithms.map(\.rawValue).sorted().map { .string($0) })
    }
}
