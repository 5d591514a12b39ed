public import CryptoCore
import JOSEKit
import JSONKit
import MdocKit
public import OID4VPMessages
import SDJWTKit
@_spi(Layers) import VerificationCore

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// The wallet's signature of responses, which drafts before 26 can ask for (JARM).
public struct ResponseSigning: Sendable {
    /// The wallet's name as the issuer of responses.
    public let issuer: String
    /// The key.
    public let signer: any Signer
    /// The name of the key for verifiers; nil to give none.
    public let keyID: String?
    /// The time in seconds for which a response counts: 300 by default.
    public let lifetime: TimeInterval

    /// Describes a signature.
    public init(issuer: String, signer: any Signer, keyID: String? = nil, lifetime: TimeInterval = 300) {
        self.issuer = issuer
        self.signer = signer
        self.keyID = keyID
        self.lifetime = lifetime
    }
}

/// Makes the responses to one request: presentations, and errors.
///
/// An ``AuthenticatedRequest`` is needed for either, so that nothing can go to an address that is not authenticated. Nothing is
/// sent here.
///
/// ```swift
/// let responder = AuthorizationResponder(request)
/// let response = try await responder.response(with: token, to: asked, at: now)
/// let refusal = try await responder.errorResponse(.accessDenied, at: now)
/// ```
public struct AuthorizationResponder: Sendable {
    /// The request.
    public let request: AuthenticatedRequest
    /// The wallet's value for the handover of mdocs in drafts before 26 (ISO/IEC TS 18013-7, B.4.4).
    ///
    /// Encrypted responses to such drafts carry it as `apu` for every format, so that presentations are made for it.
    public let mdocGeneratedNonce: String

    let signing: ResponseSigning?
    let support: EncryptionSupport

    /// Makes a responder.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - mdocGeneratedNonce: The wallet's value for the handover of mdocs in drafts before 26; nil for a fresh one of 16
    ///     random bytes.
    ///   - signing: The signature of responses for drafts before 26; nil if the wallet signs none.
    ///   - support: The algorithms for encrypting error responses where the request could not be read to its end.
    ///   - random: The source of the fresh value.
    public init(
        _ request: AuthenticatedRequest,
        mdocGeneratedNonce: String? = nil,
        signing: ResponseSigning? = nil,
        support: EncryptionSupport = .default,
        using random: some RandomSource = .system
    ) {
        self.request = request
        self.mdocGeneratedNonce = mdocGeneratedNonce ?? Base64URL.encode(random.bytes(16))
        self.signing = signing
        self.support = support
    }

    /// The response with presentations, encrypted and signed as the request demands.
    ///
    /// - Parameters:
    ///   - token: The presentations.
    ///   - content: The request as it was read; it must be that of this responder.
    ///   - time: The time.
    ///   - random: The source of randomness for the encryption.
    /// - Throws: `OID4VPError` with code `invalidResponse` for the content of another request, for presentations that
    ///   answer no query of it, and if a query that must be answered is not; `encryptionImpossible`,
    ///   `signingImpossible`, or `profileViolation`. The verifier is then sent an error response with code
    ///   `server_error`, as ``response(to:at:using:isolation:making:)`` does.
    public func response(
        with token: VPToken,
        to content: PresentationRequest,
        at time: Date,
        using random: some RandomSource = .system
    ) async throws(OID4VPError) -> AuthorizationResponse {
        try requireContent(content)
        let deviations = try check(token, answering: content)
        let isDraft = request.platformProtocol == PlatformRequest.draft
        let parameters = try await protected(
            isDraft ? token.draftParameters : token.parameters,
            content,
            at: time,
            using: random
        )
        return try AuthorizationResponse(
            parameters,
            to: request.target,
            platformProtocol: request.platformProtocol,
            deviations: deviations
        )
    }

    /// The response with presentations that are yet to be made, or an error response where they cannot be made.
    ///
    /// Its code is `access_denied` where no credential answers the request, `invalid_transaction_data` where none can
    /// authorize its transactions, and `server_error` otherwise.
    ///
    /// - Parameters:
    ///   - content: The request as it was read.
    ///   - time: The time.
    ///   - random: The source of randomness for the encryption.
    ///   - isolation: The actor of the caller, on which `make` runs.
    ///   - make: Makes the presentations; an error that it throws is the ``AuthorizationResponse/failure`` of the response,
    ///     where it is of another type as the cause of an `OID4VPError` with the code `presentationFailed`.
    /// - Throws: As ``errorResponse(_:for:at:using:)``.
    public func response(
        to content: PresentationRequest,
        at time: Date,
        using random: some RandomSource = .system,
        isolation: isolated (any Actor)? = #isolation,
        making make: () async throws -> VPToken
    ) async throws(OID4VPError) -> AuthorizationResponse {
        do throws(OID4VPError) {
            return try await response(with: try await token(from: make), to: content, at: time, using: random)
        } catch {
            // The request was read: what is left is a lack of the wallet's.
            let code = error.authorizationCode
            return try await errorResponse(
                code == .invalidRequest ? .serverError : code,
                for: error,
                at: time,
                using: random
            )
        }
    }

    private func token(
        isolation: isolated (any Actor)? = #isolation,
        from make: () async throws -> VPToken
    ) async throws(OID4VPError) -> VPToken {
        do {
            return try await make()
        } catch let error as OID4VPError {
            throw error
        } catch {
            throw OID4VPError(.presentationFailed, "the presentations cannot be made", cause: error)
        }
    }

    // MARK: Checking

    /// Refuses the content of another request, whose key the response would be encrypted to.
    private func requireContent(_ content: PresentationRequest) throws(OID4VPError) {
        let nonce = request.parameters.members["nonce"]?.stringValue
        guard content.version == request.version, content.target == request.target,
            nonce?.hasSameBytes(as: content.nonce) == true,
            content.state.map(ExactText.init) == request.state.map(ExactText.init)
        else { throw OID4VPError(.invalidResponse, "the content is that of another request") }
    }

    /// Refuses presentations that do not answer a request, or break a rule of the profile.
    ///
    /// - Returns: The deviations from the profile.
    /// - Throws: `OID4VPError` with code `invalidResponse` or `profileViolation`.
    package func check(
        _ token: VPToken,
        answering content: PresentationRequest
    ) throws(OID4VPError) -> [Deviation] {
        try requireAnswers(token, content)
        return try profileDeviations(token, content)
    }

    /// Refuses presentations that the request did not ask for, and a part of those that it must have.
    private func requireAnswers(_ token: VPToken, _ content: PresentationRequest) throws(OID4VPError) {
        var deviations: [Deviation] = []
        let parameters = ResponseParameters(token.parameters)
        do throws(OID4VPError) {
            let isComplete: Bool
            switch content.query {
            case .dcql(let query):
                _ = try VPToken(parameters, answering: query, deviations: &deviations)
                isComplete = query.isSatisfied(by: token.queries)
            case .definition(let definition):
                // A user may answer a descriptor with several credentials.
                let options = ResponseReadingOptions(tolerances: [.repeatedDescriptors])
                _ = try VPToken(parameters, answering: definition, options: options, deviations: &deviations)
                isComplete = definition.isSatisfied(by: token.queries)
            case .definitionReference, .scope:
                throw OID4VPError(.invalidResponse, "the query behind the request's name for it is not known")
            }
            guard isComplete else {
                throw OID4VPError(.invalidResponse, "a query that must be answered is not", path: ["vp_token"])
            }
        } catch {
            guard error.code != .invalidResponse else { throw error }
            throw OID4VPError(
                .invalidResponse,
                "the presentations do not answer the request",
                path: error.path,
                cause: error.withoutPlace
            )
        }
    }

    private func profileDeviations(
        _ token: VPToken,
        _ content: PresentationRequest
    ) throws(OID4VPError) -> [Deviation] {
        guard let profile = request.profile else { return [] }
        var deviations: [Deviation] = []
        for (path, query, presentations) in token.presentationsByQuery {
            guard let (format, isBound) = content.format(of: query) else { continue }
            for presentation in presentations {
                let traits = PresentationTraits(presentation, format: format, requiresHolderBinding: isBound)
                deviations += try profile.check(traits, at: path)
            }
        }
        return deviations
    }
}

extension VPToken {
    /// The queries or descriptors that are answered.
    fileprivate var queries: Set<QueryID> {
        switch self {
        case .queries(let answers): Set(answers.map(\.query))
        case .definition(_, let submission): Set(submission.entries.map(\.descriptor))
        }
    }
}
