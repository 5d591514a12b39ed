#if Server && Client && SQLite
import CommandTesting
import CryptoCore
import Foundation
import IRMAClient
import IRMAMessages
import IRMAServer
import JOSEKit
import JSONKit
import SDJWTKit
import Testing

@testable import IRMATool

/// SD-JWT copies of credentials: `irma server` issues them, `irma wallet` keeps them.
@Suite struct ServerCopiesTests {
    private let disk: SchemeOnDisk
    private let authority: CertificateAuthority
    private let key: PrivateKey

    private static let issuer = "https://bank.example"
    private static let validity = (SchemeOnDisk.now - 1e6)...(SchemeOnDisk.now + 1e7)

    init() async throws {
        disk = try await SchemeOnDisk()
        authority = try await .root(
            subject: DistinguishedName(commonName: "Authority"),
            signer: SoftwareSigner(PrivateKey.generate(.p256)),
            validity: Self.validity
        )
        key = try PrivateKey.generate(.p256)
    }

    private func certificate(
        _ names: [GeneralName] = [.uri(issuer)],
        validity: ClosedRange<Date> = validity,
        usage: KeyUsage = .digitalSignature,
        key: PublicKey? = nil,
        besides extensions: [CertificateExtension] = []
    ) async throws -> Certificate {
        try await CertificateBuilder(
            subject: DistinguishedName(commonName: "Demo Bank"),
            publicKey: key ?? self.key.publicKey,
            validity: validity,
            extensions: [.keyUsage(usage), .subjectAlternativeName(names)] + extensions
        ).issued(by: authority)
    }

    /// Writes files to a folder, and returns its path.
    private func folder(_ name: String, _ files: [String: String]) throws -> String {
        let path = disk.folder.path(name)
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        for (file, text) in files { try disk.folder.write(text, to: "\(name)/\(file)") }
        return path
    }

    private func flags(certificates: [String: String], keys: [String: String]) throws -> [String] {
        [
            "--sdjwtvc-issuer-certificates-dir", try folder("certificates", certificates),
            "--sdjwtvc-issuer-private-keys-dir", try folder("keys", keys),
        ]
    }

    private static func request(copies: Int) -> String {
        """
        {"@context":"https://irma.app/ld/request/issuance/v2","credentials":[{"credential":"demo.bank.card",
        "attributes":{"name":"Alice"},"sdJwtBatchSize":\(copies)}]}
        """
    }

    /// Runs a session with more flags for the server and the wallet, and returns how the wallet and the requestor's command end.
    private func issue(
        copies: Int,
        _ serverFlags: [String],
        _ walletFlags: [String] = []
    ) async throws -> (wallet: Invocation, session: Int32) {
        let arguments = [
            "server", "-s", disk.schemes, "--schemes-update", "0", "-p", "0", "-l", "127.0.0.1", "-u",
            "http://127.0.0.1:port",
        ]
        return try await withRunning(arguments + serverFlags) { server in
            let session = try await RunningCommand([
                "session", "--server", "http://127.0.0.1:\(try server.port())", "-s", disk.schemes,
                "--disable-schemes-update", "--noqr", "--request", Self.request(copies: copies),
            ])
            let wallet = await disk.wallet(["session", session.readyLine, "--yes"] + walletFlags)
            return (wallet, await session.end().status)
        }
    }

    @Test func aWalletKeepsCopiesOfItsCredential() async throws {
        let certificate = try await certificate()
        let flags = try flags(certificates: ["demo.bank.pem": certificate.pem], keys: ["demo.bank.pem": key.pem])
        let trust = try disk.folder.write(authority.certificate.pem, to: "authority.pem")
        let copies = disk.folder.path("copies")
        let issued = try await issue(copies: 3, flags, ["--copies", copies, "--copies-trust", trust])
        #expect(issued.wallet.status == 0 && issued.session == 0, "\(issued.wallet.errors)")
        let names = try FileManager.default.contentsOfDirectory(atPath: copies)
        let files = names.filter { $0.hasSuffix(".sd-jwt") }
        #expect(files.count == 3 && names.count == 6)
        var signatures: Set<[UInt8]> = []
        for file in files {
            let text = try String(contentsOfFile: "\(copies)/\(file)", encoding: .utf8)
            let sdJWT = try SDJWT(compact: text)
            let verifier = SDJWTVerifier(
                policy: .credential(algorithms: [.es256]),
                issuerKeys: X509IssuerKeys(anchors: [authority.certificate]),
                clock: { SchemeOnDisk.now }
            )
            let verified = try await verifier.verify(sdJWT, expecting: .noKeyBinding).get()
            #expect(verified.credentialType == "demo.bank.card" && verified.issuer == Self.issuer)
            #expect(verified["name"]?.stringValue == "Alice")
            #expect(sdJWT.disclosures.count == 1)
            let pem = try String(contentsOfFile: "\(copies)/\(file.dropLast("sd-jwt".count))pem", encoding: .utf8)
            let holder = try #require(verified["cnf"]?["jwk"])
            #expect(try JWK(json: holder).publicKey() == PrivateKey(pem: pem).publicKey)
            signatures.insert(Array(text.utf8.prefix { $0 != UInt8(ascii: "~") }))
        }
        #expect(signatures.count == 3)
        // A wallet without a folder gets the credential alone.
        let plain = try await issue(copies: 3, flags)
        #expect(plain.wallet.status == 0, "\(plain.wallet.errors)")
        #expect(try FileManager.default.contentsOfDirectory(atPath: copies).count == 6)
    }

    /// As those of existing issuers have one of TLS clients.
    @Test(arguments: [OID.clientAuthentication, .serverAuthentication, .mdocDocumentSigner])
    func aWalletTakesAnyExtendedKeyUsage(purpose: OID) async throws {
        let certificate = try await certificate(besides: [.extendedKeyUsage([purpose])])
        let flags = try flags(certificates: ["demo.bank.pem": certificate.pem], keys: ["demo.bank.pem": key.pem])
        let trust = try disk.folder.write(authority.certificate.pem, to: "authority.pem")
        let copies = disk.folder.path("copies")
        let issued = try await issue(copies: 1, flags, ["--copies", copies, "--copies-trust", trust])
        #expect(issued.wallet.status == 0 && issued.session == 0, "\(issued.wallet.errors)")
        #expect(!issued.wallet.output.contains("refused"), "\(issued.wallet.output)")
        #expect(try FileManager.default.contentsOfDirectory(atPath: copies).count == 2)
    }

    /// The server does not start with certificates whose copies every wallet would refuse.
    @Test func refusesCertificatesThatWalletsRefuse() async throws {
        let own = try await certificate()
        let other = try await CertificateAuthority.root(
            subject: DistinguishedName(commonName: "Other"),
            signer: SoftwareSigner(PrivateKey.generate(.p256)),
            validity: Self.validity
        )
        let rsa = try PrivateKey.generateRSA(bits: 2048)
        let cases: [(certificates: [Certificate], key: PrivateKey)] = [
            ([try await certificate(usage: .keyAgreement)], key),
            ([try await certificate(usage: .nonRepudiation)], key),
            ([try await certificate(besides: [.certificateAuthority(pathLength: nil)])], key),
            ([try await certificate(key: rsa.publicKey)], rsa),
            ([own, other.certificate], key), ([own, own], key),
        ]
        for (position, (certificates, key)) in cases.enumerated() {
            let flags = [
                "--sdjwtvc-issuer-certificates-dir",
                try folder("certificates-\(position)", ["demo.bank.pem": certificates.map(\.pem).joined()]),
                "--sdjwtvc-issuer-private-keys-dir", try folder("keys-\(position)", ["demo.bank.pem": key.pem]),
            ]
            let checked = await check(flags)
            #expect(
                checked.status == 2 && checked.errors.contains("wallets refuse copies"),
                "\(position): \(checked.errors)"
            )
        }
        let whole = own.pem + authority.certificate.pem
        let flags = try flags(certificates: ["demo.bank.pem": whole], keys: ["demo.bank.pem": key.pem])
        #expect(await check(flags).status == 0)
    }

    @Test func aWalletRefusesCopiesOfAStranger() async throws {
        let certificate = try await certificate()
        let flags = try flags(certificates: ["demo.bank.pem": certificate.pem], keys: ["demo.bank.pem": key.pem])
        let other = try await CertificateAuthority.root(
            subject: DistinguishedName(commonName: "Other"),
            signer: SoftwareSigner(PrivateKey.generate(.p256)),
            validity: Self.validity
        )
        let trust = try disk.folder.write(other.certificate.pem, to: "other.pem")
        let folder = disk.folder.path("copies")
        let issued = try await issue(copies: 1, flags, ["--copies", folder, "--copies-trust", trust])
        // The credential is issued all the same.
        #expect(issued.wallet.status == 0 && issued.session == 0)
        #expect(issued.wallet.output.contains("SD-JWT copies: refused:"), "\(issued.wallet.output)")
        #expect(issued.wallet.output.contains("sdjwts[0]"), "\(issued.wallet.output)")
        #expect(await disk.wallet(["list"]).output.contains("demo.bank.card"))
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder).isEmpty)
    }

    @Test func aRequestForCopiesNeedsACertificate() async throws {
        let flags = try flags(certificates: [:], keys: [:])
        let failure = await #expect(throws: CommandFailure.self) { try await issue(copies: 1, flags) }
        #expect(failure?.description.contains("demo.bank has no certificate") == true, "\(String(describing: failure))")
        // A server without folders declines copies.
        let declined = try await issue(copies: 1, [])
        #expect(declined.wallet.status == 0 && declined.session == 0, "\(declined.wallet.errors)")
    }

    @Test func refusesFoldersThatDoNotFit() async throws {
        let own = try await certificate().pem
        let plain = try await certificate([.dns("bank.example")]).pem
        let unsafe = try await certificate([.uri("http://bank.example")]).pem
        let (key, other) = (key.pem, try PrivateKey.generate(.p256).pem)
        let cases: [(certificates: [String: String], keys: [String: String], expected: String)] = [
            (["demo.bank.pem": own], [:], "there is no demo.bank.pem"),
            ([:], ["demo.bank.pem": key], "there is no demo.bank.pem"),
            (["demo.shop.pem": own], ["demo.shop.pem": key], "names no issuer"),
            (["demo.bank.pem": key], ["demo.bank.pem": key], "no certificate"),
            (["demo.bank.pem": own], ["demo.bank.pem": own], "demo.bank.pem"),
            (["demo.bank.pem": own], ["demo.bank.pem": other], "not that of the first certificate"),
            (["demo.bank.pem": plain], ["demo.bank.pem": key], "no https URL"),
            (["demo.bank.pem": unsafe], ["demo.bank.pem": key], "no https URL"),
        ]
        for (position, (certificates, keys, expected)) in cases.enumerated() {
            let flags = [
                "--sdjwtvc-issuer-certificates-dir", try folder("certificates-\(position)", certificates),
                "--sdjwtvc-issuer-private-keys-dir", try folder("keys-\(position)", keys),
            ]
            let checked = await check(flags)
            #expect(checked.status == 2 && checked.errors.contains(expected), "\(position): \(checked.errors)")
        }
        let empty = try folder("empty", [:])
        #expect(await check(["--sdjwtvc-issuer-certificates-dir", empty]).errors.contains("one of keys"))
        let missing = ["--sdjwtvc-issuer-certificates-dir", empty, "--sdjwtvc-issuer-private-keys-dir", "/missing"]
        #expect(await check(missing).errors.contains("/missing cannot be read"))
        let whole = try flags(certificates: ["demo.bank.pem": own, "README": ""], keys: ["demo.bank.pem": key])
        #expect(await check(whole).status == 0)
    }

    private func check(_ flags: [String]) async -> Invocation {
        await Invocation.run(
            IRMATool.self,
            ["server", "check", "--schemes-path", disk.schemes] + flags,
            now: SchemeOnDisk.now
        )
    }

    @Test func theFlagsOfAWalletGoTogether() async {
        for flags in [["--copies", disk.folder.path("copies")], ["--copies-trust", disk.privateKey]] {
            let refused = await disk.wallet(["list"] + flags)
            #expect(refused.status == 2 && refused.errors.contains("go together"), "\(refused.errors)")
        }
        let noCertificate = ["--copies", disk.folder.path("copies"), "--copies-trust", disk.privateKey]
        #expect(await disk.wallet(["list"] + noCertificate).errors.contains("no certificate"))
    }
}

extension ServerCopiesTests {
    private func issuers(_ certificate: Certificate) throws -> CertifiedCopyIssuers {
        let identity = CertifiedCopyIssuers.Identity(
            signer: try SoftwareSigner(key),
            chain: [certificate],
            url: Self.issuer
        )
        return CertifiedCopyIssuers(identities: ["demo.bank": identity])
    }

    private func refusal(
        of credential: CredentialRequest,
        _ certificate: Certificate,
        at time: Date = SchemeOnDisk.now
    ) throws -> String? {
        let issuers = try issuers(certificate)
        do throws(IRMAServerError) {
            try issuers.check(credential, at: time)
            return nil
        } catch {
            #expect(error.code == .copyRefused)
            return error.message
        }
    }

    @Test func copiesNeedACertificateThatIsValid() async throws {
        let certificate = try await certificate()
        let card = CredentialRequest("demo.bank.card", attributes: ["name": "Alice"], validity: 1_900_000_000)
        #expect(try refusal(of: card, certificate) == nil)
        #expect(try refusal(of: card, certificate, at: SchemeOnDisk.now + 1.1e7)?.contains("not valid now") == true)
        let other = CredentialRequest("demo.shop.card", attributes: [:], validity: 1_900_000_000)
        #expect(try refusal(of: other, certificate)?.contains("has no certificate") == true)
    }

    @Test(arguments: ["iss", "iat", "exp", "vct", "cnf", "nbf", "status", "_sd"])
    func attributesAreNoClaimsOfTheToken(name: String) async throws {
        let card = CredentialRequest("demo.bank.card", attributes: [ExactText(name): "x"], validity: 1_900_000_000)
        await #expect(throws: IRMAServerError.self) {
            let issuers = try issuers(try await certificate())
            try issuers.check(card, at: SchemeOnDisk.now)
            _ = try await issuers.copies(of: card, boundTo: [JWK(key.publicKey)], at: SchemeOnDisk.now)
        }
    }

    /// A holder, and copies for keys of its own of a card with a name, which is what the user saw.
    private func copies(
        of credential: CredentialRequest = card("Alice"),
        in folder: String = "copies"
    ) async throws -> (FolderCopyHolder, copies: [String]) {
        let holder = try FolderCopyHolder(
            path: disk.folder.path(folder),
            trusting: [authority.certificate],
            clock: { SchemeOnDisk.now }
        )
        let issuers = try issuers(try await certificate())
        return (holder, try await issuers.copies(of: credential, boundTo: holder.makeKeys(2), at: SchemeOnDisk.now))
    }

    private static func card(_ name: String) -> CredentialRequest {
        CredentialRequest("demo.bank.card", attributes: ["name": name], validity: 1_900_000_000)
    }

    private static let shown = LoggedCredential(
        "demo.bank.card",
        attributes: [
            LoggedAttribute("demo.bank.card.name", value: "Alice"), LoggedAttribute("demo.bank.card.level", value: nil),
        ]
    )

    private func refused(_ copies: [String], by holder: FolderCopyHolder, at place: String) async {
        let error = await #expect(throws: WalletError.self) { try await holder.keep(copies, of: [Self.shown]) }
        #expect(error?.code == .crypto && error?.path == [place], "\(String(describing: error))")
    }

    @Test func aHolderTakesTheSameCopiesAgain() async throws {
        let (holder, copies) = try await copies()
        try await holder.keep(copies, of: [Self.shown])
        try await holder.keep(copies, of: [Self.shown])
        #expect(try FileManager.default.contentsOfDirectory(atPath: disk.folder.path("copies")).count == 4)
    }

    @Test func aHolderRefusesCopiesThatSayMoreThanTheCredential() async throws {
        var other = Self.card("Alice")
        other.attributes["level"] = "high"
        var unknown = Self.card("Alice")
        unknown.attributes["secret"] = "x"
        let type = CredentialRequest("demo.bank.pass", attributes: ["name": "Alice"], validity: 1_900_000_000)
        for (position, credential) in [Self.card("Bob"), other, unknown, type].enumerated() {
            let (holder, copies) = try await copies(of: credential, in: "\(position)")
            await refused(copies, by: holder, at: "sdjwts[0]")
        }
    }

    @Test func aHolderRefusesAKeyThatIsNotTheCopysOwn() async throws {
        let (holder, copies) = try await copies()
        await refused([copies[0], copies[0]], by: holder, at: "sdjwts[1]")
        let (stranger, _) = try await self.copies(in: "stranger")
        await refused(copies, by: stranger, at: "sdjwts[0]")
        try await holder.keep(copies, of: [Self.shown])
        // Another copy for a key that has one.
        let folder = disk.folder.path("copies")
        let file = try #require(FileManager.default.contentsOfDirectory(atPath: folder).first { $0.hasSuffix(".pem") })
        let key = try PrivateKey(pem: String(contentsOfFile: "\(folder)/\(file)", encoding: .utf8))
        let issuers = try issuers(try await certificate())
        let another = try await issuers.copies(
            of: Self.card("Alice"),
            boundTo: [JWK(key.publicKey)],
            at: SchemeOnDisk.now
        )
        await refused(another, by: holder, at: "sdjwts[0]")
    }

    /// Verifiers that compare the times of copies learn the day alone.
    @Test func timesAreRoundedToDays() async throws {
        let day: Int64 = 86_400
        let now = Int64(SchemeOnDisk.now.timeIntervalSince1970)
        let start = now - now % day
        let expiries: [(validity: Int64, expected: Int64)] = [
            (start + 10 * day + 5, start + 10 * day), (now + 3 * day, start + 3 * day), (now + day + 5, now + day + 5),
            (now + 60, now + 60),
        ]
        let issuers = try issuers(try await certificate())
        for (validity, expected) in expiries {
            let card = CredentialRequest("demo.bank.card", attributes: ["name": "Alice"], validity: validity)
            let copies = try await issuers.copies(
                of: card,
                boundTo: [JWK(key.publicKey)],
                at: SchemeOnDisk.now + 0.5
            )
            let payload = try SDJWT(compact: try #require(copies.first)).unverifiedPayload()
            #expect(payload["iat"]?.numberValue?.text == "\(start)")
            #expect(payload["exp"]?.numberValue?.text == "\(expected)")
        }
    }
}
#endif
