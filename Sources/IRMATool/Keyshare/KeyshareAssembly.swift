#if Server
import CommandSupport
import CredentialServing
import CredentialServingOperations
import CryptoCore
import Foundation
import IRMAMessages
import IRMAServer
import KeyshareServer
import Logging
import ServerSupport

/// The parts of a keyshare server, read from its configuration.
struct KeyshareAssembly: Sendable {
    let server: AccountServerAssembly
    private let accounts: any KeyshareEmailStore
    private let registrationMail: RegistrationMail?
    private let storageKeys: StorageKeyring
    private let signer: any Signer

    private var configuration: ServerConfiguration { server.configuration }

    /// Reads everything.
    ///
    /// - Parameters:
    ///   - configuration: The configuration.
    ///   - invocation: A run, or a check, which makes nothing.
    ///   - console: The clock.
    /// - Throws: ``ToolError`` and the errors of the layers below.
    init(_ configuration: ServerConfiguration, _ invocation: ServerInvocation, console: Console) async throws {
        let isCheck = invocation.isCheck
        server = try await AccountServerAssembly(configuration, name: "keyshare", isCheck: isCheck, console: console)
        storageKeys = try Self.storageKeys(configuration)
        signer = try configuration.value(of: KeyshareKeys.jwtPrivateKey).withValue { pem in
            try RSAKeys.signer(pem: pem, named: "jwt_privkey")
        }
        let accounts = try await AccountStoreFactory.make(configuration, isCheck: isCheck, clock: server.clock)
        self.accounts = accounts
        let mail = try await MailAssembly.make(configuration, isOffline: invocation.isOffline, console: console)
        registrationMail = try mail.map { try Self.registrationMail($0, configuration, accounts) }
    }

    /// The keyshare server.
    ///
    /// - Parameters:
    ///   - issuer: Starts the sessions that issue the login attribute.
    ///   - currentSchemes: Returns the schemes as they are now, asked at each request.
    func service(
        issuer: any LoginAttributeIssuer,
        schemes currentSchemes: @escaping @Sendable () -> SchemeSnapshot
    ) throws -> KeyshareService {
        let attribute = try server.attribute(configuration.value(of: KeyshareKeys.attribute), "keyshare_attribute")
        let names = try configuration.value(of: KeyshareKeys.schemes)
        let schemes =
            names.isEmpty ? [attribute.credentialType.scheme] : Set(names.map { SchemeIdentifier($0) })
        for scheme in schemes where server.material.schemes.schemes[scheme]?.keyshareScheme == nil {
            throw ToolError("keyshare_schemes: \(scheme) is no scheme with a keyshare server")
        }
        let keyID = UInt32(clamping: try configuration.value(of: KeyshareKeys.jwtKeyID))
        warn(ofSchemesWithoutKey: keyID, schemes)
        return try KeyshareService(
            storageKeys: storageKeys,
            signer: signer,
            keyID: keyID,
            accounts: accounts,
            sessions: server.store,
            issuerKeys: { KeyshareIssuerKeys(of: schemes, in: currentSchemes()) },
            loginAttribute: try LoginAttribute(attribute),
            loginAttributeIssuer: issuer,
            registrationMail: registrationMail,
            options: KeyshareServiceOptions(
                issuer: try configuration.value(of: KeyshareKeys.jwtIssuer),
                tokenLifetime: try configuration.value(of: KeyshareKeys.tokenLifetime).components.seconds,
                acceptsUnsignedMessages: try configuration.value(of: KeyshareKeys.acceptsUnsignedMessages),
                recordForm: try configuration.value(of: KeyshareKeys.writesReferenceRecords) ? .reference : .stretched
            ),
            clock: server.clock.now
        )
    }

    /// Logs the schemes in which wallets find another key than the server's, or none: what it signs does not verify.
    private func warn(ofSchemesWithoutKey keyID: UInt32, _ schemes: Set<SchemeIdentifier>) {
        for scheme in schemes.sorted() {
            let key = server.material.schemes.schemes[scheme]?.keyshareKeys[UInt(keyID)]
            guard key != signer.publicKey else { continue }
            let file = "kss-\(keyID).pem"
            server.log.warning(
                "wallets cannot verify what the keyshare server signs",
                metadata: [
                    "scheme": "\(scheme)",
                    "fields": "jwt_privkey: \(file) of the scheme is \(key == nil ? "not there" : "another key")",
                ]
            )
        }
    }

    private static func registrationMail(
        _ mail: MailAssembly,
        _ configuration: ServerConfiguration,
        _ accounts: any KeyshareEmailStore
    ) throws -> RegistrationMail {
        try RegistrationMail(
            mail.mailer,
            texts: mail.texts(KeyshareKeys.registrationMail),
            links: mail.localizedText(KeyshareKeys.verificationURL),
            tokens: accounts,
            validity: Int64(configuration.value(of: KeyshareKeys.emailTokenValidity))
        )
    }

    private static func storageKeys(_ configuration: ServerConfiguration) throws -> StorageKeyring {
        let file = try configuration.value(of: KeyshareKeys.storageKeyFile)
        let writing = try storageKey(file)
        var others: [StorageKey] = []
        if let folder = try configuration.valueIfPresent(of: KeyshareKeys.fallbackKeys), !folder.isEmpty {
            guard let names = try? FileManager.default.contentsOfDirectory(atPath: folder) else {
                throw ToolError("storage_fallback_keys_dir: \(folder) is no readable folder")
            }
            let paths = names.filter { $0.hasSuffix(".key") && !$0.hasPrefix(".") }.sorted().map { folder + "/" + $0 }
            others = try paths.filter { SchemeFolder.absolute($0) != SchemeFolder.absolute(file) }.map(storageKey)
        }
        return try StorageKeyring(writing: writing, reading: others)
    }

    private static func storageKey(_ path: String) throws -> StorageKey {
        var bytes = try InputFile(argument: path).read(sizeLimit: 1024)
        defer { wipe(&bytes) }
        do {
            return try StorageKey(decoding: bytes)
        } catch {
            throw ToolError("\(path) is no storage key: \(error)")
        }
    }
}
#endif
