public import CryptoCore
import JOSEKit
import JSONKit
public import OID4VPMessages

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension AuthorizationResponder {
    /// An error response (OpenID4VP 1.0, section 8.5).
    ///
    /// It says nothing but the code and a text that depends on the code alone, so that a user's refusal and a missing
    /// credential look alike. It goes the way of the response, encrypted where the response would be and a key can be used,
    /// and in the clear otherwise. The Digital Credentials API and authorization servers during issuance get an object in the
    /// clear.
    ///
    /// - Parameters:
    ///   - code: The code. Send one after the user has seen the request: an answer by itself tells that there is a wallet.
    ///   - failure: The reason, for ``AuthorizationResponse/failure``; nothing of it is sent.
    ///   - time: The time.
    ///   - random: The source of randomness for the encryption.
    /// - Throws: `OID4VPError` with code `invalidResponseAddress` if the response has no address.
    public func errorResponse(
        _ code: AuthorizationErrorCode,
        for failure: OID4VPError? = nil,
        at time: Date,
        using random: some RandomSource = .system
    ) async throws(OID4VPError) -> AuthorizationResponse {
        try await errorResponse(
            code,
            description: code.fixedDescription,
            for: failure,
            at: time,
            using: random
        )
    }

    /// An error response with the code that the failure to read the request stands for.
    ///
    /// - Throws: As ``errorResponse(_:for:at:using:)``.
    public func errorResponse(
        to failure: OID4VPError,
        at time: Date,
        using random: some RandomSource = .system
    ) async throws(OID4VPError) -> AuthorizationResponse {
        try await errorResponse(failure.authorizationCode, for: failure, at: time, using: random)
    }

    /// An error response with a text of the caller's own.
    ///
    /// A text that says more than the code can reveal the wallet's contents; characters that `error_description` cannot
    /// have (RFC 6749, section 4.1.2.1) are left out.
    ///
    /// - Throws: As ``errorResponse(_:for:at:using:)``.
    public func errorResponse(
        _ code: AuthorizationErrorCode,
        description: String,
        for failure: OID4VPError? = nil,
        at time: Date,
        using random: some RandomSource = .system
    ) async throws(OID4VPError) -> AuthorizationResponse {
        try AuthorizationResponse(
            await errorParameters(code, description, at: time, using: random),
            to: request.target,
            platformProtocol: request.platformProtocol,
            errorCode: code,
            failure: failure
        )
    }

    private func errorParameters(
        _ code: AuthorizationErrorCode,
        _ description: String,
        at time: Date,
        using random: some RandomSource
    ) async -> JSONObject {
        var parameters: JSONObject = ["error": .string(code.text)]
        if request.target.mode.address == .platform { return parameters }
        let text = description.unicodeScalars.filter { (" "..."~").contains($0) && $0 != "\"" && $0 != "\\" }
        if !text.isEmpty { parameters["error_description"] = .string(String(String.UnicodeScalarView(text))) }
        if let state = request.state { parameters["state"] = .string(state) }
        guard request.target.mode.isJWT, request.target.mode.address != .optionalResponseURI else { return parameters }
        var (encryption, algorithm) = request.responseProtection(support)
        // A wallet that signs nothing can encrypt all the same.
        if signing == nil { algorithm = nil }
        guard encryption != nil || algorithm != nil else { return parameters }
        // A response that cannot be protected is an error in the clear.
        let protected = try? await protected(parameters, encryption, signedWith: algorithm, at: time, using: random)
        return protected ?? parameters
    }
}

extension AuthenticatedRequest {
    /// The verifier's value that every response repeats, as received; nil for none.
    var state: String? {
        guard version != .v1 || target.mode.address != .platform else { return nil }
        guard let state = parameters.members["state"]?.stringValue, !state.isEmpty else { return nil }
        return state
    }

    /// The key and the algorithms for a response, as far as they can be read: the rest of the request may be invalid.
    func responseProtection(_ support: EncryptionSupport) -> (ResponseEncryption?, JWSAlgorithm?) {
        var deviations: [Deviation] = []
        guard let members = metadataMembers,
            let metadata = try? ClientMetadata(members, version: version, options: options, deviations: &deviations)
        else { return (nil, nil) }
        let signing = version == .v1 ? nil : metadata.signingAlgorithm
        let isSignedAlone = signing != nil && metadata.olderAlgorithm == nil
        let encryption =
            isSignedAlone
            ? nil
            : try? ResponseEncryption(
                metadata,
                version: version,
                support: profile?.encryption(of: support) ?? support,
                options: options,
                deviations: &deviations
            )
        return (encryption, signing)
    }
}
