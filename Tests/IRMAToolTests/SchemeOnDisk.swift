import CommandTesting
import CryptoCore
import Foundation
import IRMAMessages
import IRMATool
import IdemixCore
import JSONKit
import TestSupport
import Testing

extension Invocation {
    /// Runs the command `irma` in this process.
    static func irma(_ arguments: String..., now: Date = SchemeOnDisk.now) async -> Invocation {
        await run(IRMATool.self, arguments, now: now)
    }
}

/// A folder with one scheme that the command itself made: keys, index and signature.
struct SchemeOnDisk {
    static let now = Date(timeIntervalSince1970: 1_800_000_000)
    static let type = CredentialTypeIdentifier("demo.bank.card")
    /// The key of the wallet in the folder.
    static let walletKey = Data(repeating: 7, count: 32)

    let folder: TemporaryFolder
    /// The folder of schemes.
    var schemes: String { folder.path("schemes") }
    /// The folder of the scheme.
    var scheme: String { folder.path("schemes/demo") }
    /// The file of the wallet.
    var wallet: String { folder.path("wallet.db") }
    /// The private key of the scheme.
    var privateKey: String { folder.path("sk.pem") }

    /// A scheme, with a keyshare server or without.
    ///
    /// - Parameters:
    ///   - keyshare: The URL of the keyshare server, and its public key.
    ///   - revocationServer: The URL of the server for the type that can be revoked.
    init(
        keyshare: (url: String, key: PublicKey)? = nil,
        revocationServer: String = "http://127.0.0.1:1/irma"
    ) async throws {
        folder = try TemporaryFolder()
        try folder.write(Self.walletKey.base64EncodedString(), to: "wallet.key")
        let server = keyshare.map {
            "<KeyshareServer>\($0.url)</KeyshareServer><KeyshareAttribute>demo.bank.card.name</KeyshareAttribute>"
        }
        var files: [(String, String)] = [
            (
                "description.xml",
                """
                <SchemeManager version="7"><Id>demo</Id><Url>https://schemes.example/demo</Url><Demo>true</Demo>
                \(server ?? "")<Name><en>Demo</en></Name><Description><en>Demo</en></Description></SchemeManager>
                """
            ),
            (
                "bank/description.xml",
                """
                <Issuer version="4"><ID>bank</ID><SchemeManager>demo</SchemeManager><Name><en>Demo Bank</en></Name>
                <ContactEMail>a@example.com</ContactEMail></Issuer>
                """
            ),
            (
                "bank/Issues/card/description.xml",
                """
                <IssueSpecification version="4"><SchemeManager>demo</SchemeManager><IssuerID>bank</IssuerID>
                <CredentialID>card</CredentialID><Name><en>Demo Card</en></Name>
                <Attributes><Attribute id="name"><Name><en>Name</en></Name></Attribute></Attributes>
                </IssueSpecification>
                """
            ),
            (
                "bank/Issues/pass/description.xml",
                """
                <IssueSpecification version="4"><SchemeManager>demo</SchemeManager><IssuerID>bank</IssuerID>
                <CredentialID>pass</CredentialID><Name><en>Demo Pass</en></Name>
                <RevocationServers><RevocationServer>\(revocationServer)</RevocationServer></RevocationServers>
                <Attributes><Attribute id="id"><Name><en>Id</en></Name></Attribute><Attribute revocation="true"/>
                </Attributes></IssueSpecification>
                """
            ),
        ]
        if let keyshare { files.append(("kss-0.pem", keyshare.key.pem)) }
        for (path, text) in files {
            let url = URL(fileURLWithPath: folder.path("schemes/demo/\(path)"))
            try FileManager.default.createDirectory(
                at: url.deletingLastPathComponent(),
                withIntermediateDirectories: true
            )
            try Data(text.utf8).write(to: url)
        }
        let made = await Invocation.irma("scheme", "keygen", "-s", privateKey, "-p", folder.path("pk.pem"))
        try #require(made.status == 0, "\(made.errors)")
        for (path, bytes, mode) in try await Self.issuerKeys.value {
            let url = URL(fileURLWithPath: "\(scheme)/bank/\(path)")
            try FileManager.default.createDirectory(
                at: url.deletingLastPathComponent(),
                withIntermediateDirectories: true
            )
            try bytes.write(to: url)
            try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: url.path)
        }
        let signed = await Invocation.irma("scheme", "sign", privateKey, scheme)
        try #require(signed.status == 0, "\(signed.errors)")
    }

    /// The files of the issuer's key pair, which the command makes once for all tests.
    private static let issuerKeys = Task {
        let folder = try TemporaryFolder()
        let made = await Invocation.irma("scheme", "issuer", "keygen", folder.url.path, "-l", "1024", "-a", "5")
        try #require(made.status == 0, "\(made.errors)")
        return try ["PrivateKeys/0.xml", "PublicKeys/0.xml"].map { path in
            let url = folder.url.appendingPathComponent(path)
            let mode = try FileManager.default.attributesOfItem(atPath: url.path)[.posixPermissions] as? Int
            return (path, try Data(contentsOf: url), try #require(mode))
        }
    }

    /// Runs `irma wallet` with the wallet in the folder, in developer mode.
    ///
    /// - Parameters:
    ///   - arguments: The words after `wallet`.
    ///   - schemes: Another folder of schemes.
    ///   - input: The lines that the user types.
    func wallet(_ arguments: [String], schemes: String? = nil, input: [String] = []) async -> Invocation {
        await Invocation.run(
            IRMATool.self,
            walletWords(arguments, schemes: schemes),
            input: input,
            now: Self.now
        )
    }

    /// The words of a command `irma wallet` with the wallet in the folder.
    func walletWords(_ arguments: [String], schemes: String? = nil) -> [String] {
        ["wallet"] + arguments + [
            "-w", wallet, "--wallet-key", folder.path("wallet.key"), "-s", schemes ?? self.schemes, "--dev",
        ]
    }

    /// The key pair that the command wrote.
    func keys(counter: UInt = 0) throws -> IdemixIssuerKeyPair {
        func bytes(_ folder: String) throws -> [UInt8] {
            [UInt8](try Data(contentsOf: URL(fileURLWithPath: "\(scheme)/bank/\(folder)/\(counter).xml")))
        }
        return try IdemixIssuerKeyPair(
            publicKey: IdemixIssuerPublicKey(xml: bytes("PublicKeys")),
            privateKey: IdemixIssuerPrivateKey(xml: bytes("PrivateKeys"))
        )
    }

    func metadata() throws -> MetadataAttribute {
        try MetadataAttribute(
            credentialType: Self.type.text,
            keyCounter: 0,
            signedAt: Self.now - 1e6,
            expiresAt: Self.now + 1e7
        )
    }

    /// A credential with a name, as the bank issues it.
    func credential() throws -> IdemixCredential {
        let keys = try keys()
        let attributes = [try metadata().integer, AttributeEncoding.version3.integer(for: "Alice")]
        let builder = IdemixProofListBuilder()
        let pending = try builder.addIssuance(publicKey: keys.publicKey, secretKey: .random())
        let verified = try builder.prove(challenge: IdemixChallenge(nonce: 1))
            .verify(
                expecting: [.issuance(IdemixIssuanceExpectation(publicKey: keys.publicKey))],
                challenge: IdemixChallenge(nonce: 1),
                at: Self.now
            ).get()
        guard case .issuance(let commitment)? = verified.proofs.first else { throw CocoaError(.coderInvalidValue) }
        let issued = try IdemixIssuer(keys: keys).sign(attributes: attributes, commitment: commitment, nonce: 2)
        return try pending.finish(with: issued, attributes: attributes, nonce: 2)
    }
}
