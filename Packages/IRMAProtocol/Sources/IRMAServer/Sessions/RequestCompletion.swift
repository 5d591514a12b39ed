import IRMAMessages
import IdemixCore

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Checks a requestor's request, and completes it for the wallet.
struct RequestCompletion {
    let material: ServerMaterial
    let options: SessionServerOptions
    let time: Date
    let canRevoke: RevocationAuthorityService?
    let copyIssuer: (any SDJWTCopyIssuer)?

    /// The request with context, keys and validities, still without a nonce.
    func completed(_ message: RequestorMessage) throws(RemoteError) -> SessionRequest {
        do throws(IRMAError) {
            var request = try message.request()
            try requireKnownNames(request)
            try request.validate(with: material.schemes)
            try checkParameters(request.parameters)
            if case .issuing(let credentials) = request.purpose {
                var completed: [CredentialRequest] = []
                for credential in credentials { completed.append(try self.completed(credential)) }
                request.purpose = .issuing(completed)
            }
            request.parameters.context = 1
            request.parameters.protocolVersion = nil
            request.parameters.isDeveloperMode = options.mode == .development
            return request
        } catch {
            throw .invalidRequest(error.displayText)
        }
    }

    /// Refuses unknown names and keys all at once, as requestors know it.
    private func requireKnownNames(_ request: SessionRequest) throws(IRMAError) {
        var unknown: [String] = []
        var lookup = AttributeLookup(material.schemes)
        _ = request.disclose.firstAttribute { attribute in
            switch lookup.find(attribute.type) {
            case .known, .malformed: return false
            case .unknownType, .unknownAttribute:
                unknown.append(attribute.type.text)
                return unknown.count == Self.toldNames
            }
        }
        for credential in request.credentials where unknown.count < Self.toldNames {
            let type = credential.credential
            if type.isWellFormed, material.schemes.credentialType(type) == nil {
                unknown.append(type.text)
            } else if let counter = credential.keyCounter, counter != 0,
                material.schemes.publicKey(of: type.issuer, counter: counter) == nil
            {
                unknown.append("\(type.issuer)-\(counter)")
            }
        }
        guard unknown.isEmpty else {
            throw IRMAError(.unknownIdentifier, "Unknown identifiers: \(unknown.joined(separator: ", "))")
        }
    }

    /// The number of unknown names that are told; no request with so many is meant.
    private static let toldNames = 64

    /// The schemes of which a newer version may know what the request names and the present one lacks, or need no attribute
    /// that the request lacks.
    ///
    /// None if a scheme itself is unknown, since no update mends that.
    func outdatedSchemes(for message: RequestorMessage) -> Set<SchemeIdentifier> {
        guard let request = try? message.request() else { return [] }
        let schemes = material.schemes
        var outdated: Set<SchemeIdentifier> = []
        var lookup = AttributeLookup(schemes)
        for attribute in request.disclose.attributes where attribute.type.isWellFormed {
            guard lookup.find(attribute.type) != .known else { continue }
            outdated.insert(attribute.type.credentialType.scheme)
        }
        for type in (request.parameters.revocation?.demands ?? [:]).keys
        where type.isWellFormed && schemes.credentialType(type) == nil {
            outdated.insert(type.scheme)
        }
        for credential in request.credentials where credential.credential.isWellFormed {
            guard !credential.isDescribed(by: schemes) else { continue }
            outdated.insert(credential.credential.scheme)
        }
        return outdated.allSatisfy { schemes.schemes[$0] != nil } ? outdated : []
    }

    private func checkParameters(_ parameters: SessionParameters) throws(IRMAError) {
        if parameters.augmentsReturnURL {
            guard options.augmentsReturnURLs else {
                throw Self.refusal("augmenting client return url not enabled in server configuration")
            }
            guard parameters.clientReturnURL?.isEmpty == false else {
                throw Self.refusal("cannot augment empty client return url")
            }
        }
        if let host = parameters.host {
            let isHost = !host.isEmpty && host.utf8.count <= 255 && host.utf8.allSatisfy(Self.isOfHost)
            guard isHost else { throw Self.refusal("the host is not a name with an optional port") }
        }
    }

    private static func isOfHost(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
            || (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) || "-.:[]".utf8.contains(byte)
    }

    private static func refusal(_ message: String) -> IRMAError { IRMAError(.invalidRequest, message) }

    /// The credential with its key, validity and the names of random-blind attributes.
    private func completed(_ credential: CredentialRequest) throws(IRMAError) -> CredentialRequest {
        var credential = credential
        let issuer = credential.credential.issuer
        guard let keys = material.issuerKeys.newest(of: issuer) else {
            throw Self.refusal("missing private key of issuer \(issuer)")
        }
        guard material.schemes.publicKey(of: issuer, counter: keys.publicKey.counter) == keys.publicKey else {
            throw Self.refusal("missing public key of issuer \(issuer)")
        }
        guard !keys.publicKey.isExpired(at: time) else {
            throw Self.refusal("cannot issue using expired public key \(issuer)-\(keys.publicKey.counter)")
        }
        credential.keyCounter = keys.publicKey.counter
        let type = material.schemes.credentialType(credential.credential)
        credential.randomBlindNames = type?.announcedRandomBlindNames ?? []
        credential.isRevocationSupported = false
        if type?.revocationIndex != nil {
            guard canRevoke?.canIssue(credential.credential) == true else {
                throw Self.refusal(
                    "revocation enabled for \(credential.credential) but no revocation server configured"
                )
            }
            guard credential.revocationKey?.isEmpty == false else {
                throw Self.refusal("revocation enabled for \(credential.credential) but no revocationKey specified")
            }
            guard keys.publicKey.supportsRevocation, keys.privateKey.revocationKey != nil else {
                throw Self.refusal(
                    "private key \(issuer)-\(keys.publicKey.counter) does not support revocation"
                )
            }
        }
        let end = DefaultValidity.end(from: time).timeIntervalSince1970
        let validity = credential.validity ?? Int64(end.rounded(.down))
        guard Double(validity) >= time.timeIntervalSince1970 else {
            throw Self.refusal("cannot issue expired credentials")
        }
        credential.validity = validity
        try completeCopies(of: &credential)
        return credential
    }

    /// Takes copies that can be issued, and refuses others; a server that issues none declines them.
    private func completeCopies(of credential: inout CredentialRequest) throws(IRMAError) {
        guard let copyIssuer, credential.copyCount > 0 else {
            // A wallet that is asked for none sends no keys for them.
            credential.sdJWTBatchSize = nil
            return
        }
        do throws(IRMAServerError) {
            try copyIssuer.check(credential, at: time)
        } catch {
            throw Self.refusal("no SD-JWT copies of \(credential.credential): \(error.message)")
        }
    }
}

extension CredentialRequest {
    /// Indicates that schemes know the type, all attributes and the key, and that no attribute is missing.
    fileprivate func isDescribed(by schemes: SchemeSnapshot) -> Bool {
        guard let type = schemes.credentialType(credential) else { return false }
        let counter = keyCounter ?? 0
        guard counter == 0 || schemes.publicKey(of: credential.issuer, counter: counter) != nil else { return false }
        return attributes.keys.allSatisfy { type.baseIndex(of: $0.text) != nil } && missingAttributes(of: type).isEmpty
    }
}
