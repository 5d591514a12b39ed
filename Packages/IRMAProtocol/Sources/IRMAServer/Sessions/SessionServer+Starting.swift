import CredentialTransport
import IRMAMessages
import IdemixCore

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension SessionServer {
    /// The place of a session in a chain.
    struct Chain: Sendable {
        /// The frontend's authorization, which all sessions of a chain share.
        let frontendToken: String
        /// The attributes that the wallet has shown before, and shows again.
        let implicit: Condiscon
    }

    /// Starts a session of a requestor.
    ///
    /// - Parameters:
    ///   - message: The request with the requestor's options.
    ///   - requestor: The name of the requestor; nil in this process.
    ///   - chain: The place in a chain; nil for the first session.
    ///   - updatesSchemes: Indicates that schemes are updated where they lack what the request names: only while a requestor
    ///     waits, never a wallet.
    func start(
        _ message: RequestorMessage,
        requestor: String?,
        in chain: Chain? = nil,
        updatesSchemes: Bool = false
    ) async throws(RemoteError) -> SessionPackage {
        let wishes = message.options ?? RequestorOptions()
        try check(wishes)
        var (materialID, request) = try await completed(message, updatesSchemes: updatesSchemes)
        let time = now
        let tokens = (
            requestor: SessionTokens.makeToken(using: services.randomness),
            client: SessionTokens.makeToken(using: services.randomness),
            frontend: chain?.frontendToken ?? SessionTokens.makeToken(using: services.randomness)
        )
        request.parameters.nonce = BigInteger.random(bits: 128, using: services.randomness)
        if request.parameters.augmentsReturnURL, let url = request.parameters.clientReturnURL {
            request.parameters.clientReturnURL = Self.augmented(url, with: tokens.requestor)
        }
        let record = SessionRecord(
            tokens: tokens,
            requestor: requestor,
            materialID: materialID,
            lastActive: time,
            request: request,
            wishes: wishes,
            implicit: chain?.implicit ?? []
        )
        try await insert(record)
        return SessionPackage(
            pointer: pointer(of: record),
            token: record.token,
            frontend: FrontendAccess(
                authorization: record.frontendToken,
                isPairingAdvised: Self.advisesPairing(request, wishes)
            )
        )
    }

    /// The request that the wallet gets, still without a nonce, with the number of the material that it was checked with.
    private func completed(
        _ message: RequestorMessage,
        updatesSchemes: Bool
    ) async throws(RemoteError) -> (materialID: UInt64, request: SessionRequest) {
        let (id, completion) = completion
        do throws(RemoteError) {
            return (id, try completion.completed(message))
        } catch {
            guard updatesSchemes, let updates else { throw error }
            await updates.update(completion.outdatedSchemes(for: message), of: self)
            let (newID, newCompletion) = self.completion
            guard newID != id else { throw error }
            return (newID, try newCompletion.completed(message))
        }
    }

    private var completion: (materialID: UInt64, RequestCompletion) {
        let (id, material) = history.current
        let completion = RequestCompletion(
            material: material,
            options: options,
            time: Self.date(now),
            canRevoke: services.revocationAuthority,
            copyIssuer: services.copyIssuer
        )
        return (id, completion)
    }

    /// Refuses options that this server cannot serve.
    private func check(_ wishes: RequestorOptions) throws(RemoteError) {
        for (name, url) in [("callbackUrl", wishes.callbackURL), ("nextSession", wishes.nextSessionURL)] {
            guard let url else { continue }
            do {
                _ = try HTTPURL(url)
            } catch {
                throw .invalidRequest("\(name) is no URL of http or https")
            }
            guard services.transport != nil else {
                throw RemoteError(.unsupported, message: "\(name) is not supported by this server")
            }
            guard services.resultSigner != nil || options.allowsUnsignedCallbacks else {
                throw RemoteError(.unsupported, message: "\(name) needs a key that signs results")
            }
        }
    }

    /// The pointer to a session.
    func pointer(of record: SessionRecord) -> SessionPointer {
        var base = url
        if let other = record.request.parameters.host, let range = base.firstRange(of: "://") {
            let path = base[range.upperBound...].drop { $0 != "/" }
            base = String(base[..<range.upperBound]) + other + path
        }
        return SessionPointer(url: base + "session/" + record.clientToken, kind: record.request.kind)
    }

    private static func advisesPairing(_ request: SessionRequest, _ wishes: RequestorOptions) -> Bool {
        guard wishes.nextSessionURL == nil, request.kind == .disclosing else { return true }
        return request.disclose.attributes.contains { $0.value != nil }
    }

    /// The URL with the requestor's token in its query.
    private static func augmented(_ url: String, with token: String) -> String {
        url + (url.utf8.contains(UInt8(ascii: "?")) ? "&token=" : "?token=") + token
    }
}
