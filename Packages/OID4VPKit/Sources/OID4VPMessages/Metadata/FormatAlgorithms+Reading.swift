import JSONKit

extension FormatAlgorithms {
    /// The names of members, which depend on version and format.
    struct Names {
        var algorithms: [String] = []
        var holderAlgorithms: [String] = []
        var proofTypes: [String] = []
        var cryptosuites: [String] = []
    }

    /// Reads lists of algorithms; numbers of COSE become text, and an empty list says nothing.
    ///
    /// - Throws: The reader's error for a member that is no list.
    init(_ reader: MemberReader, _ names: Names, _ limits: RequestLimits) throws(OID4VPError) {
        func values(_ members: [String]) throws(OID4VPError) -> [ExactText] {
            var all: [ExactText] = []
            for name in members {
                guard let values = try reader.list(name, atMost: limits.entries) else { continue }
                all += values.compactMap { value in
                    (value.stringValue ?? value.numberValue?.description).map { ExactText($0) }
                }
            }
            return all
        }
        self.init(
            algorithms: try values(names.algorithms),
            holderAlgorithms: try values(names.holderAlgorithms),
            proofTypes: try values(names.proofTypes),
            cryptosuites: try values(names.cryptosuites)
        )
    }
}

extension FormatAlgorithms.Names {
    /// The members of 1.0 (appendix B); nil for an unknown format.
    init?(for format: CredentialFormat) {
        switch format {
        case .mdoc: self.init(algorithms: ["issuerauth_alg_values"], holderAlgorithms: ["deviceauth_alg_values"])
        case .sdJWT, .olderSDJWT: self = .ofSDJWT
        case .linkedData: self.init(proofTypes: ["proof_type_values"], cryptosuites: ["cryptosuite_values"])
        case .jwt: self.init(algorithms: ["alg_values"])
        default: return nil
        }
    }

    /// The members of drafts before 27; nil for an unknown format.
    init?(inDraftsFor format: CredentialFormat) {
        switch format.credential {
        case .mdoc, .jwt: self.init(algorithms: ["alg"])
        case .sdJWT: self = .ofSDJWT
        case .linkedData: self.init(proofTypes: ["proof_type"])
        default: return nil
        }
    }

    private static let ofSDJWT = Self(algorithms: ["sd-jwt_alg_values"], holderAlgorithms: ["kb-jwt_alg_values"])
}
