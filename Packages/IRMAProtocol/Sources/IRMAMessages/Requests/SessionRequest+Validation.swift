import IdemixCore

extension SessionRequest {
    /// The largest number of conjunctions and attributes in a request.
    public static let maximumAttributes = 10_000
    /// The largest number of credentials that are issued in one session.
    ///
    /// Each takes a proof in the wallet's answer, a list of at most 100.
    public static let maximumCredentials = IdemixProofList.Limits().proofs

    /// Refuses a request that breaks a rule of the protocol or uses an unknown name.
    ///
    /// - Parameter schemes: The schemes that the request may name.
    /// - Throws: ``IRMAError/Code/invalidRequest``, ``IRMAError/Code/unknownIdentifier``, ``IRMAError/Code/limitExceeded``,
    ///   with the place in the path.
    public func validate(with schemes: SchemeSnapshot) throws(IRMAError) {
        try validateStructure()
        var lookup = AttributeLookup(schemes)
        for (position, disjunction) in disclose.disjunctions.enumerated() {
            for (choice, conjunction) in disjunction.choices.enumerated() {
                do throws(IRMAError) {
                    try Self.check(conjunction, with: schemes, &lookup)
                } catch {
                    throw error.inside("disclose[\(position)][\(choice)]")
                }
            }
        }
        for type in parameters.revocation?.demands.keys.sorted() ?? [] {
            guard let description = schemes.credentialType(type) else {
                throw IRMAError(.unknownIdentifier, "no such credential type", path: ["revocation", type.text])
            }
            guard description.revocationIndex != nil else {
                throw IRMAError(
                    .invalidRequest,
                    "credentials of the type cannot be revoked",
                    path: ["revocation", type.text]
                )
            }
        }
        for (position, credential) in credentials.enumerated() {
            do throws(IRMAError) {
                try credential.validate(with: schemes)
            } catch {
                throw error.inside("credentials[\(position)]")
            }
        }
    }

    /// Refuses a request that breaks a rule of the protocol which needs no knowledge of schemes.
    ///
    /// - Throws: ``IRMAError/Code/invalidRequest``, ``IRMAError/Code/limitExceeded``.
    public func validateStructure() throws(IRMAError) {
        switch purpose {
        case .disclosing:
            guard disclose.attributes.contains(where: { _ in true }) else {
                throw IRMAError(.invalidRequest, "a disclosure request names an attribute", path: ["disclose"])
            }
        case .signing(let message):
            guard !message.isEmpty else { throw IRMAError(.invalidRequest, "the message is empty", path: ["message"]) }
            guard !disclose.disjunctions.isEmpty else {
                throw IRMAError(.invalidRequest, "a signature request names attributes", path: ["disclose"])
            }
        case .issuing(let credentials):
            guard !credentials.isEmpty else {
                throw IRMAError(.invalidRequest, "an issuance request names a credential", path: ["credentials"])
            }
        }
        let size = disclose.disjunctions.reduce(credentials.count) { size, disjunction in
            disjunction.choices.reduce(size + 1) { $0 + 1 + $1.attributes.count }
        }
        guard size <= Self.maximumAttributes else {
            throw IRMAError(.limitExceeded, "more than \(Self.maximumAttributes) attributes and conjunctions")
        }
        for (position, disjunction) in disclose.disjunctions.enumerated() {
            do throws(IRMAError) { try Self.check(disjunction) } catch { throw error.inside("disclose[\(position)]") }
        }
        for (position, credential) in credentials.enumerated() where !credential.credential.isWellFormed {
            throw IRMAError(
                .invalidRequest,
                "the name of a credential type has three parts",
                path: ["credentials[\(position)]", "credential"]
            )
        }
    }

    private static func check(_ disjunction: AttributeDisjunction) throws(IRMAError) {
        guard !disjunction.choices.isEmpty else {
            throw IRMAError(.invalidRequest, "a disjunction without a choice")
        }
        for (choice, conjunction) in disjunction.choices.enumerated() {
            var seen: Set<CredentialTypeIdentifier> = []
            var current: CredentialTypeIdentifier?
            for attribute in conjunction.attributes {
                guard attribute.type.isWellFormed else {
                    throw IRMAError(
                        .invalidRequest,
                        "the name of an attribute has three or four parts",
                        path: ["[\(choice)]", attribute.type.text]
                    )
                }
                // The type of a single attribute stands together.
                guard conjunction.attributes.count > 1 else { continue }
                if let last = current {
                    guard !attribute.type.belongs(to: last) else { continue }
                    seen.insert(last)
                }
                let type = attribute.type.credentialType
                guard !seen.contains(type) else {
                    throw IRMAError(
                        .invalidRequest,
                        "the attributes of a credential type do not stand together",
                        path: ["[\(choice)]", attribute.type.text]
                    )
                }
                current = type
            }
        }
    }

    private static func check(
        _ conjunction: AttributeConjunction,
        with schemes: SchemeSnapshot,
        _ lookup: inout AttributeLookup
    ) throws(IRMAError) {
        if conjunction.attributes.count > 1 {
            try checkTypes(of: conjunction, with: schemes)
        } else if let only = conjunction.attributes.first, lookup.find(only.type) == .unknownType {
            throw unknown(only.type.credentialType)
        }
        for attribute in conjunction.attributes {
            let isWhole = attribute.type.isWhole
            guard !isWhole || attribute.value == nil else {
                throw IRMAError(.invalidRequest, "a credential as a whole has no value", path: [attribute.type.text])
            }
            guard isWhole || lookup.find(attribute.type) == .known else {
                throw IRMAError(.unknownIdentifier, "no such attribute", path: [attribute.type.text])
            }
        }
    }

    private static func checkTypes(
        of conjunction: AttributeConjunction,
        with schemes: SchemeSnapshot
    ) throws(IRMAError) {
        var others = 0
        for type in conjunction.credentialTypes {
            guard let description = schemes.credentialType(type) else { throw unknown(type) }
            others += description.isSingleton ? 0 : 1
        }
        guard others <= 1 else {
            throw IRMAError(.invalidRequest, "a conjunction has at most one credential type that is no singleton")
        }
    }

    private static func unknown(_ type: CredentialTypeIdentifier) -> IRMAError {
        IRMAError(.unknownIdentifier, "no such credential type", path: [type.text])
    }
}

extension CredentialRequest {
    /// The largest number of SD-JWT copies.
    public static let maximumBatchSize: UInt = 200

    /// Refuses a credential that cannot be issued: an unknown type, unknown or missing attributes.
    ///
    /// - Throws: ``IRMAError/Code/unknownIdentifier``, ``IRMAError/Code/invalidRequest``.
    public func validate(with schemes: SchemeSnapshot) throws(IRMAError) {
        guard let type = schemes.credentialType(credential) else {
            throw IRMAError(.unknownIdentifier, "no such credential type", path: [credential.text])
        }
        for name in attributes.keys.sorted() where type.baseIndex(of: name.text) == nil {
            throw IRMAError(.unknownIdentifier, "no such attribute", path: ["\(credential.text).\(name.text)"])
        }
        let missing = missingAttributes(of: type)
        guard missing.isEmpty else {
            let names = missing.map { "\(credential.text).\($0.name)" }.joined(separator: ", ")
            throw IRMAError(.invalidRequest, "Required attributes are missing: \(names)", path: [credential.text])
        }
        if let blind = type.attributes.first(where: { $0.isRandomBlind && attributes[ExactText($0.name)] != nil }) {
            throw IRMAError(
                .invalidRequest,
                "the value of a random-blind attribute is chosen in the session",
                path: ["\(credential.text).\(blind.name)"]
            )
        }
        guard revocationKey == nil || type.revocationIndex != nil else {
            throw IRMAError(.invalidRequest, "credentials of the type cannot be revoked", path: ["revocationKey"])
        }
        guard sdJWTBatchSize ?? 0 <= Self.maximumBatchSize else {
            throw IRMAError(.limitExceeded, "more than \(Self.maximumBatchSize) copies", path: ["sdJwtBatchSize"])
        }
    }
    /// The attributes of the type that are not optional and have no value.
    package func missingAttributes(of type: CredentialTypeDescription) -> [AttributeDescription] {
        type.attributes.filter {
            !$0.isOptional && !$0.isRandomBlind && !$0.isRevocation && attributes[ExactText($0.name)] == nil
        }
    }
}
