import CommandTesting
import CryptoCore
import Foundation
import IRMATool
import IdemixCore
import Testing

/// Schemes that the command makes, signs and checks.
@Suite struct SchemeCommandTests {
    @Test func verifiesASchemeAndAFolderOfSchemes() async throws {
        let disk = try await SchemeOnDisk()
        for path in [disk.scheme, disk.schemes] {
            let verified = await Invocation.irma("scheme", "verify", path)
            #expect(verified.status == 0, "\(verified.errors)")
            #expect(verified.output.contains("verdict: verified"))
            #expect(verified.output.contains("credential types: 2"))
        }
        let json = await Invocation.irma("scheme", "verify", disk.scheme, "--json")
        #expect(json.output.contains(#""verdict":"verified""#))
    }

    @Test func refusesASchemeThatWasChanged() async throws {
        let disk = try await SchemeOnDisk()
        let file = URL(fileURLWithPath: "\(disk.scheme)/bank/description.xml")
        try Data(String(decoding: try Data(contentsOf: file), as: UTF8.self).replacing("Bank", with: "Tank").utf8)
            .write(to: file)
        let refused = await Invocation.irma("scheme", "verify", disk.scheme)
        #expect(refused.status == 1)
        #expect(refused.output.contains("verdict: refused"))
        #expect(refused.output.contains("bank/description.xml"))
    }

    /// As in a checkout whose folder has another name; the description has the scheme's.
    @Test func verifiesAndSignsInAFolderOfAnyName() async throws {
        let disk = try await SchemeOnDisk()
        let path = disk.folder.path("schemes/demo-schememanager")
        try FileManager.default.moveItem(atPath: disk.scheme, toPath: path)
        let signed = await Invocation.irma("scheme", "sign", disk.privateKey, path)
        #expect(signed.status == 0 && signed.output.contains("scheme: demo"), "\(signed.errors)")
        #expect(try String(contentsOfFile: "\(path)/index", encoding: .utf8).contains(" demo/bank/description.xml"))
        for place in [path, disk.schemes] {
            let verified = await Invocation.irma("scheme", "verify", place)
            #expect(verified.status == 0 && verified.output.contains("demo:"), "\(verified.output)\(verified.errors)")
        }
        #if Client
        let updated = await Invocation.irma("scheme", "update", path)
        #expect(updated.status == 2 && updated.errors.contains("has its name to be updated: demo"), "\(updated.errors)")
        #endif
    }

    @Test(arguments: ["shop", "bank/Issues/other"])
    func refusesADescriptionThatIsNotSigned(place: String) async throws {
        let disk = try await SchemeOnDisk()
        let folder = URL(fileURLWithPath: "\(disk.scheme)/\(place)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try Data("x".utf8).write(to: folder.appendingPathComponent("logo.png"))
        #expect(await Invocation.irma("scheme", "verify", disk.scheme).status == 0)
        try Data("<Issuer/>".utf8).write(to: folder.appendingPathComponent("description.xml"))
        for path in [disk.scheme, disk.schemes] {
            let refused = await Invocation.irma("scheme", "verify", path)
            #expect(refused.status == 1 && refused.output.contains("\(place)/description.xml"), "\(refused.output)")
        }
    }

    /// The newest key counts: the one that issues.
    @Test func refusesKeysThatCannotSignTheTypes() async throws {
        let disk = try await SchemeOnDisk()
        let path = URL(fileURLWithPath: "\(disk.scheme)/bank/PublicKeys/1.xml")
        let key = try disk.keys().publicKey
        let elements = key.elements
        let few = IdemixKeyElements(
            n: elements.n,
            Z: elements.Z,
            S: elements.S,
            R: Array(elements.R.prefix(2)),
            G: elements.G,
            H: elements.H
        )
        let bare = IdemixKeyElements(n: elements.n, Z: elements.Z, S: elements.S, R: elements.R)
        let changes: [(IdemixKeyElements, PublicKey?, String)] = [
            (few, key.revocationKey, "has 2 bases, 3 are needed"), (bare, nil, "does not support revocation"),
        ]
        for (elements, revocationKey, reason) in changes {
            let newest = try IdemixIssuerPublicKey(
                counter: 1,
                expiryDate: key.expiryDate,
                elements: elements,
                revocationKey: revocationKey
            )
            try Data(newest.xml).write(to: path)
            let index = try Data(contentsOf: URL(fileURLWithPath: "\(disk.scheme)/index"))
            let unsigned = await Invocation.irma("scheme", "sign", disk.privateKey, disk.scheme)
            #expect(unsigned.status == 2 && unsigned.errors.contains(reason), "\(unsigned.errors)")
            #expect(try Data(contentsOf: URL(fileURLWithPath: "\(disk.scheme)/index")) == index)
            #expect(await Invocation.irma("scheme", "sign", "-n", disk.privateKey, disk.scheme).status == 0)
            let refused = await Invocation.irma("scheme", "verify", disk.scheme)
            #expect(refused.status == 1 && refused.output.contains(reason), "\(refused.output)")
        }
    }

    @Test func warnsOfKeysThatExpire() async throws {
        let disk = try await SchemeOnDisk()
        let expiry = try disk.keys().publicKey.expiryDate
        for (time, text) in [(expiry - 86_400, "bank expires at"), (expiry + 86_400, "bank expired at")] {
            let verified = await Invocation.irma("scheme", "verify", disk.scheme, now: time)
            #expect(verified.status == 0 && verified.output.contains(text), "\(verified.output)")
            let signed = await Invocation.irma("scheme", "sign", disk.privateKey, disk.scheme, now: time)
            #expect(signed.status == 0 && signed.errors.contains(text), "\(signed.errors)")
        }
        let quiet = await Invocation.irma("scheme", "verify", disk.scheme, now: expiry - 32 * 86_400)
        #expect(quiet.status == 0 && !quiet.output.contains("warnings"), "\(quiet.output)")
        let file = URL(fileURLWithPath: "\(disk.scheme)/bank/description.xml")
        let text = try String(contentsOf: file, encoding: .utf8)
        try Data(text.replacing("</Issuer>", with: "<DeprecatedSince>1</DeprecatedSince></Issuer>").utf8).write(
            to: file
        )
        let deprecated = await Invocation.irma("scheme", "sign", disk.privateKey, disk.scheme, now: expiry + 86_400)
        #expect(deprecated.status == 0 && !deprecated.errors.contains("expired"), "\(deprecated.errors)")
    }

    @Test func refusesAFolderWithoutSchemes() async throws {
        let folder = try TemporaryFolder()
        let refused = await Invocation.irma("scheme", "verify", folder.url.path)
        #expect(refused.status == 2)
        #expect(refused.errors.contains("neither a scheme nor folders of schemes"))
    }

    #if Client
    @Test func refusesAMalformedProxy() async throws {
        let disk = try await SchemeOnDisk()
        let refused = await Invocation.run(
            IRMATool.self,
            ["scheme", "update", disk.scheme],
            environment: ["https_proxy": "https://user:secret@proxy.example"]
        )
        #expect(refused.status == 2)
        #expect(
            refused.errors
                == "error: the environment variable https_proxy: a proxy that is reached by TLS is not supported"
        )
    }
    #endif

    @Test func signsNothingThatCannotBeRead() async throws {
        let disk = try await SchemeOnDisk()
        let before = try Data(contentsOf: URL(fileURLWithPath: "\(disk.scheme)/index"))
        try Data("<Issuer/>".utf8).write(to: URL(fileURLWithPath: "\(disk.scheme)/bank/description.xml"))
        let refused = await Invocation.irma("scheme", "sign", disk.privateKey, disk.scheme)
        #expect(refused.status == 2)
        #expect(try Data(contentsOf: URL(fileURLWithPath: "\(disk.scheme)/index")) == before)
        let signed = await Invocation.irma("scheme", "sign", "-n", disk.privateKey, disk.scheme)
        #expect(signed.status == 0)
    }

    @Test func leavesPrivateKeysOutOfTheIndex() async throws {
        let disk = try await SchemeOnDisk()
        let index = try String(contentsOfFile: "\(disk.scheme)/index", encoding: .utf8)
        #expect(index.contains("demo/bank/PublicKeys/0.xml"))
        #expect(!index.contains("PrivateKeys"))
        let mode = try FileManager.default.attributesOfItem(atPath: "\(disk.scheme)/bank/PrivateKeys/0.xml")
        #expect(mode[.posixPermissions] as? Int == 0o600)
    }

    @Test func replacesNoKeyOfAScheme() async throws {
        let folder = try TemporaryFolder()
        try folder.write("mine", to: "sk.pem")
        let refused = await Invocation.irma(
            "scheme",
            "keygen",
            "-s",
            folder.path("sk.pem"),
            "-p",
            folder.path("pk.pem")
        )
        #expect(refused.status == 2)
        #expect(try String(contentsOfFile: folder.path("sk.pem"), encoding: .utf8) == "mine")
    }

    @Test func countsTheKeysOfAnIssuer() async throws {
        let disk = try await SchemeOnDisk()
        let next = await Invocation.irma(
            "scheme",
            "issuer",
            "keygen",
            "\(disk.scheme)/bank",
            "-l",
            "1024",
            "-v",
            "2M"
        )
        #expect(next.status == 0, "\(next.errors)")
        let keys = try disk.keys(counter: 1)
        #expect(keys.publicKey.counter == 1)
        #expect(keys.publicKey.elements.R.count == 12)
        // Two months after 15 January 2027.
        #expect(keys.publicKey.expiryDate == SchemeOnDisk.now.addingTimeInterval(59 * 86_400))
        for arguments in [["-v", "2w"], ["-l", "512"], ["-a", "1"], ["-e", "2020-01-01"]] {
            let words = ["scheme", "issuer", "keygen", "\(disk.scheme)/bank"] + arguments
            #expect(await Invocation.run(IRMATool.self, words, now: SchemeOnDisk.now).status == 2)
        }
    }

    @Test func addsMaterialForRevocation() async throws {
        let disk = try await SchemeOnDisk()
        let paths = (private: disk.folder.path("private.xml"), public: disk.folder.path("public.xml"))
        let keys = try disk.keys()
        let (elements, factors) = (keys.publicKey.elements, keys.privateKey.factors)
        let bare = try IdemixIssuerKeyPair(
            publicKey: IdemixIssuerPublicKey(
                counter: 0,
                expiryDate: keys.publicKey.expiryDate,
                elements: IdemixKeyElements(n: elements.n, Z: elements.Z, S: elements.S, R: elements.R)
            ),
            privateKey: IdemixIssuerPrivateKey(
                counter: 0,
                expiryDate: keys.privateKey.expiryDate,
                p: factors.p,
                q: factors.q
            )
        )
        try bare.privateKey.xml().withUnsafeBytes { try Data($0).write(to: URL(fileURLWithPath: paths.private)) }
        try Data(bare.publicKey.xml).write(to: URL(fileURLWithPath: paths.public))

        let extended = await Invocation.irma("scheme", "issuer", "revocation-keypair", paths.private, paths.public)
        #expect(extended.status == 0, "\(extended.errors)")
        let text = try Data(contentsOf: URL(fileURLWithPath: paths.public))
        let publicKey = try IdemixIssuerPublicKey(xml: text)
        #expect(publicKey.supportsRevocation)
        #expect(publicKey.elements.R == elements.R)
        let again = await Invocation.irma("scheme", "issuer", "revocation-keypair", paths.private, paths.public)
        #expect(again.status == 2)
        #expect(again.errors.contains("supports revocation already"))
        let other = await Invocation.irma(
            "scheme",
            "issuer",
            "revocation-keypair",
            "\(disk.scheme)/bank/PrivateKeys/0.xml",
            paths.public
        )
        #expect(other.status == 2)
    }
}
