extension OpenID4VP {
    /// Prepares presentations for signatures, by format.
    ///
    /// - Parameters:
    ///   - verifiableCredentials: The credentials by input descriptor (DCQL: by query) and format: texts, or JSON objects.
    ///   - holderId: The name of the holder's key; needed for `ldp_vc`.
    ///   - signatureSuite: The proof suite; needed for `ldp_vc`.
    /// - Throws: ``OpenID4VPException``; the verifier is told of it.
    nonisolated(nonsending) public func constructUnsignedVPToken(
        verifiableCredentials: [String: [FormatType: [Any]]],
        holderId: String? = nil,
        signatureSuite: String? = nil
    ) async throws -> [FormatType: any UnsignedVPToken] {
        let values = try Self.values(verifiableCredentials)
        return try unsignedTokens(await construct(values, holderId: holderId, signatureSuite: signatureSuite))
    }

    /// Prepares presentations for signatures, with the formats by their names.
    ///
    /// - Throws: ``OpenID4VPException``; the verifier is told of it.
    nonisolated(nonsending) public func constructUnsignedVPToken(
        verifiableCredentials: [String: [String: [Any]]],
        holderId: String? = nil,
        signatureSuite: String? = nil
    ) async throws -> [FormatType: any UnsignedVPToken] {
        try await constructUnsignedVPToken(
            verifiableCredentials: Self.typed(verifiableCredentials),
            holderId: holderId,
            signatureSuite: signatureSuite
        )
    }

    /// Prepares presentations for signatures, by format.
    ///
    /// - Throws: ``OpenID4VPException``; the verifier is told of it.
    nonisolated(nonsending) public func constructUnsignedVPToken(
        credentialsMap: [String: [FormatType: [Any]]],
        holderId: String? = nil,
        signatureSuite: String? = nil
    ) async throws -> [FormatType: any UnsignedVPToken] {
        try await constructUnsignedVPToken(
            verifiableCredentials: credentialsMap,
            holderId: holderId,
            signatureSuite: signatureSuite
        )
    }

    /// Prepares presentations for signatures, with the formats by their names.
    ///
    /// - Throws: ``OpenID4VPException``; the verifier is told of it.
    nonisolated(nonsending) public func constructUnsignedVPToken(
        credentialsMap: [String: [String: [Any]]],
        holderId: String? = nil,
        signatureSuite: String? = nil
    ) async throws -> [FormatType: any UnsignedVPToken] {
        try await constructUnsignedVPToken(
            verifiableCredentials: Self.typed(credentialsMap),
            holderId: holderId,
            signatureSuite: signatureSuite
        )
    }

    /// Prepares presentations of credentials that may cross isolation for signatures, by format.
    ///
    /// - Throws: ``OpenID4VPException``; the verifier is told of it.
    public func constructUnsignedVPToken(
        credentialValues: [String: [FormatType: [CredentialValue]]],
        holderId: String? = nil,
        signatureSuite: String? = nil
    ) async throws -> [FormatType: any UnsignedVPToken] {
        try unsignedTokens(await construct(credentialValues, holderId: holderId, signatureSuite: signatureSuite))
    }

    /// Prepares presentations for signatures, as one list: by the names of formats, then by document type or name.
    ///
    /// - Parameters:
    ///   - verifiableCredentials: The credentials by input descriptor (DCQL: by query) and format: texts, or JSON objects.
    ///   - holderId: The name of the holder's key; needed for `ldp_vc`.
    ///   - signatureSuite: The proof suite; needed for `ldp_vc`.
    /// - Throws: ``OpenID4VPException``; the verifier is told of it.
    nonisolated(nonsending) public func constructUnsignedVPTokenV2(
        verifiableCredentials: [String: [FormatType: [Any]]],
        holderId: String? = nil,
        signatureSuite: String? = nil
    ) async throws -> [UnsignedVPTokenV2] {
        try await constructUnsignedVPTokenV2(
            credentialValues: Self.values(verifiableCredentials),
            holderId: holderId,
            signatureSuite: signatureSuite
        )
    }

    /// Prepares presentations for signatures as one list, with the formats by their names.
    ///
    /// - Throws: ``OpenID4VPException``; the verifier is told of it.
    nonisolated(nonsending) public func constructUnsignedVPTokenV2(
        verifiableCredentials: [String: [String: [Any]]],
        holderId: String? = nil,
        signatureSuite: String? = nil
    ) async throws -> [UnsignedVPTokenV2] {
        try await constructUnsignedVPTokenV2(
            verifiableCredentials: Self.typed(verifiableCredentials),
            holderId: holderId,
            signatureSuite: signatureSuite
        )
    }

    /// Prepares presentations for signatures, as one list.
    ///
    /// - Throws: ``OpenID4VPException``; the verifier is told of it.
    nonisolated(nonsending) public func constructUnsignedVPTokenV2(
        credentialsMap: [String: [FormatType: [Any]]],
        holderId: String? = nil,
        signatureSuite: String? = nil
    ) async throws -> [UnsignedVPTokenV2] {
        try await constructUnsignedVPTokenV2(
            verifiableCredentials: credentialsMap,
            holderId: holderId,
            signatureSuite: signatureSuite
        )
    }

    /// Prepares presentations of credentials that may cross isolation for signatures, as one list.
    ///
    /// - Throws: ``OpenID4VPException``; the verifier is told of it.
    public func constructUnsignedVPTokenV2(
        credentialValues: [String: [FormatType: [CredentialValue]]],
        holderId: String? = nil,
        signatureSuite: String? = nil
    ) async throws -> [UnsignedVPTokenV2] {
        let construction = try await construct(credentialValues, holderId: holderId, signatureSuite: signatureSuite)
        return construction.entries.map { format, pending in
            UnsignedVPTokenV2(
                format: format,
                holderKeyReference: pending.keyText,
                signatureAlgorithm: pending.algorithmName,
                dataToSign: pending.dataToSign(settings.ldpDataToSign)
            )
        }
    }

    private static func values(
        _ credentials: [String: [FormatType: [Any]]]
    ) throws(OpenID4VPException) -> [String: [FormatType: [CredentialValue]]] {
        var values: [String: [FormatType: [CredentialValue]]] = [:]
        for (query, formats) in credentials {
            var converted: [FormatType: [CredentialValue]] = [:]
            for (format, list) in formats {
                var elements: [CredentialValue] = []
                for element in list { elements.append(try CredentialValue(element)) }
                converted[format] = elements
            }
            values[query] = converted
        }
        return values
    }

    private static func typed(
        _ credentials: [String: [String: [Any]]]
    ) throws(OpenID4VPException) -> [String: [FormatType: [Any]]] {
        var typed: [String: [FormatType: [Any]]] = [:]
        for (query, formats) in credentials {
            var converted: [FormatType: [Any]] = [:]
            for (name, list) in formats {
                guard let format = FormatType(rawValue: name) else {
                    throw InvalidData(message: "The format \(name) is not supported", className: className)
                }
                converted[format] = list
            }
            typed[query] = converted
        }
        return typed
    }
}
