import CryptoCore
import Foundation
import IRMAMessages
import IdemixCore
import TestSupport
import Testing

/// Schemes: what is read from their files, and which content is refused.
@Suite struct IRMASchemeTests {
    @Test func readsEveryPart() async throws {
        let scheme = try await SchemeFixture(keysPerIssuer: 2).scheme()
        #expect(scheme.description.name["en"] == "Demo & more" && scheme.description.name["nl"] == "Demo <en> meer")
        #expect(scheme.description.text["en"] == "Demo" && scheme.description.languages == ["en", "fr"])
        #expect(scheme.description.minimumAppVersion.android == 17 && scheme.description.isDemo)
        #expect(scheme.time == SchemeFixture.time && scheme.keyshareScheme == nil)
        #expect(scheme.issuers["demo.bank"]?.deprecatedSince == 1_700_000_000)
        let type = try #require(scheme.credentialTypes["demo.bank.card"])
        #expect(type.isSingleton && type.attributes.map(\.name) == ["name", "level", "number"])
        #expect(type.baseIndex(of: "number") == 4 && type.blindIndices == [4] && type.attributes[1].isOptional)
        #expect(type.attributes[0].displayIndex == 1 && type.questions["FAQIntro"]?["en"] == "Why")
        #expect(type.revocationIndex == nil && type.colors["ForegroundColor"] == "#123456")
        #expect(scheme.keyCounters(of: "demo.bank") == [0, 1])
        #expect(scheme.publicKey(of: "demo.bank", counter: 1)?.counter == 1)
        #expect(scheme.publicKey(of: "demo.bank", counter: 2) == nil)
        try scheme.readAllKeys()
    }

    @Test func snapshotFindsTypesByTheirHash() async throws {
        let schemes = try SchemeSnapshot([await SchemeFixture().scheme()])
        let type = try #require(schemes.proofType("demo.bank.card"))
        #expect(schemes.credentialType(hash: type.hash) == type)
        #expect(schemes.publicKey(of: type, counter: 0) != nil)
        #expect(schemes.credentialType("demo.bank.other") == nil && schemes.issuer("demo.other") == nil)
        let other = try await SchemeFixture().changing("bank/description.xml", "Demo bank", "Demo new").scheme()
        let newer = try schemes.replacing(other)
        #expect(newer.issuer("demo.bank")?.name["en"] == "Demo new")
        #expect(schemes.issuer("demo.bank")?.name["en"] == "Demo bank")
    }

    /// A name has the prefix in the languages that the scheme has, English and French, or in none without languages.
    @Test func namesOfADemoSchemeHaveAPrefixInItsLanguages() async throws {
        let fixture = try SchemeFixture()
        let issuer: SchemePath = "bank/description.xml"
        let other = try fixture.changing(issuer, "<en>Demo bank</en>", "<en>Demo bank</en><nl>Bank</nl>")
        let scheme = try await other.scheme()
        #expect(scheme.issuers["demo.bank"]?.languages == ["en", "fr"])
        #expect(scheme.credentialTypes["demo.bank.card"]?.languages == ["en", "fr"])
        let languages = "<Languages><Language>en</Language><Language>fr</Language></Languages>"
        let none = try fixture.changing("description.xml", languages, "").changing(issuer, "Demo bank", "Bank")
        #expect(try await none.scheme().issuers["demo.bank"]?.name["en"] == "Bank")
        for french in ["<fr>Banque</fr>", "<fr>demo banque</fr>", ""] {
            let other = try fixture.changing(issuer, "<fr>Demo banque</fr>", french)
            await expectRefusal(.invalidScheme) { try await other.scheme() }
        }
        let own = try fixture.changing(issuer, "</Name>", "<de>Bank</de></Name><Languages><L>de</L></Languages>")
        await expectRefusal(.invalidScheme) { try await own.scheme() }
    }

    @Test(
        arguments: [
            ("description.xml", "<Id>demo</Id>", "<Id>other</Id>"),
            ("bank/description.xml", "<ID>bank</ID>", "<ID>other</ID>"),
            ("bank/description.xml", "Demo bank", "Bank"),
            ("bank/Issues/card/description.xml", "<CredentialID>card", "<CredentialID>other"),
            ("bank/Issues/card/description.xml", "Demo card", "Card"),
            ("bank/Issues/card/description.xml", "id=\"level\"", "id=\"name\""),
            ("bank/Issues/card/description.xml", "id=\"level\"", "id=\"le.vel\""),
            ("bank/Issues/card/description.xml", "id=\"level\"", "revocation=\"true\""),
            (
                "bank/Issues/card/description.xml", "<FAQIntro>",
                "<RevocationServers><R>https://a.b</R></RevocationServers><FAQIntro>"
            ),
            (
                "bank/Issues/card/description.xml", "<FAQIntro>",
                "<Dependencies><Or><And><C>demo.bank.none</C></And></Or></Dependencies><FAQIntro>"
            ),
            (
                "bank/Issues/card/description.xml", "<FAQIntro>",
                "<Dependencies><Or><And><C>demo.bank.card</C></And></Or></Dependencies><FAQIntro>"
            ),
            (
                "description.xml", "<TimestampServer>",
                "<KeyshareServer>https://k.example</KeyshareServer><TimestampServer>"
            ),
        ]
    )
    func contentThatBreaksARuleIsRefused(path: String, old: String, new: String) async throws {
        let changed = try SchemeFixture().changing(SchemePath(path), old, new)
        await expectRefusal(.invalidScheme) { try await changed.scheme() }
    }

    @Test(
        arguments: [
            ("description.xml", "version=\"7\"", "version=\"6\""),
            ("description.xml", "<Url>https://schemes.example/demo</Url>", ""),
            ("description.xml", "<Languages>", "<Languages><Language>nl</Language></Languages><Languages>"),
            ("description.xml", "<Demo>true", "<Demo>yes"),
            ("description.xml", "<Android>17", "<Android>x"),
            ("description.xml", "<en>&#68;emo</en>", "<en>a</en><en>b</en>"),
            ("bank/description.xml", "version=\"4\"", "version=\"x\""),
            ("bank/description.xml", "<Issuer ", "<Other "),
            ("bank/Issues/card/description.xml", "displayIndex=\"1\"", "displayIndex=\"-1\""),
            ("bank/Issues/card/description.xml", "optional=\"true\"", "optional=\"maybe\""),
        ]
    )
    func malformedDescriptionsAreRefused(path: String, old: String, new: String) async throws {
        var changed = try SchemeFixture().changing(SchemePath(path), old, new)
        if new.hasPrefix("<Other") { changed = try changed.changing(SchemePath(path), "</Issuer>", "</Other>") }
        await expectRefusal(.malformedDescription) { try await changed.scheme() }
    }

    @Test func revocationGoesWithServersAndAnAttribute() async throws {
        let path: SchemePath = "bank/Issues/card/description.xml"
        let attribute = try SchemeFixture().changing(path, "id=\"level\" optional=\"true\"", "revocation=\"true\"")
        func with(_ server: String) throws -> SchemeFixture {
            let element = "<RevocationServers><R>\(server)</R></RevocationServers><FAQIntro>"
            return try attribute.changing(path, "<FAQIntro>", element)
        }
        #expect(try await with("http://a.b").scheme().credentialTypes["demo.bank.card"]?.revocationIndex == 3)
        await expectRefusal(.invalidScheme, at: "RevocationServers") { try await with("https://a.b/").scheme() }
        let production = try with("http://a.b").changing("description.xml", "<Demo>true</Demo>", "")
        await expectRefusal(.invalidScheme, at: "RevocationServers") { try await production.scheme() }
    }

    @Test func typesWithoutAttributesIssuersOrDescriptionsAreRefused() async throws {
        var fixture = try SchemeFixture()
        fixture.files["bank/Issues/card/description.xml"] = SchemeFixture.bytes(
            """
            <IssueSpecification version="4"><SchemeManager>demo</SchemeManager><IssuerID>bank</IssuerID>
            <CredentialID>card</CredentialID><Name><en>Demo card</en><fr>Demo carte</fr></Name></IssueSpecification>
            """
        )
        await expectRefusal(.invalidScheme, at: "Attributes") { [fixture] in try await fixture.scheme() }
        fixture = try SchemeFixture()
        fixture.files["bank/description.xml"] = nil
        await expectRefusal(.invalidScheme) { [fixture] in try await fixture.scheme() }
        fixture = try SchemeFixture()
        fixture.files["description.xml"] = nil
        await expectRefusal(.invalidScheme, at: "description.xml") { [fixture] in try await fixture.scheme() }
    }

    @Test func dependenciesAreNotTooDeep() throws {
        func scheme(_ depth: Int) throws -> IRMAScheme {
            var types: [CredentialTypeDescription] = []
            for index in 0...depth {
                var type = CredentialTypeDescription(
                    id: CredentialTypeIdentifier("demo.bank.t\(index)"),
                    attributes: [AttributeDescription("a")]
                )
                if index > 0 { type.dependencies = [[[CredentialTypeIdentifier("demo.bank.t\(index - 1)")]]] }
                types.append(type)
            }
            let issuers = [IssuerDescription(id: "demo.bank")]
            return try IRMAScheme(
                SchemeDescription(id: "demo"),
                issuers: issuers,
                credentialTypes: types,
                publicKeys: [:]
            )
        }
        _ = try scheme(24)
        expectRefusal(.invalidScheme) { try scheme(25) }
    }

    /// A needs B or C, and B needs A: with C there is a way to both.
    @Test func oneAlternativeWithoutACircleIsEnough() throws {
        func scheme(_ dependencies: [String: [[[String]]]]) throws -> IRMAScheme {
            let types = dependencies.map { name, list in
                var type = CredentialTypeDescription(
                    id: CredentialTypeIdentifier("demo.bank.\(name)"),
                    attributes: [AttributeDescription("a")]
                )
                type.dependencies = list.map { $0.map { $0.map { CredentialTypeIdentifier("demo.bank.\($0)") } } }
                return type
            }
            return try IRMAScheme(
                SchemeDescription(id: "demo"),
                issuers: [IssuerDescription(id: "demo.bank")],
                credentialTypes: types,
                publicKeys: [:]
            )
        }
        _ = try scheme(["a": [[["b"], ["c"]]], "b": [[["a"]]], "c": []])
        expectRefusal(.invalidScheme) { try scheme(["a": [[["b", "c"]]], "b": [[["a"]]], "c": []]) }
        expectRefusal(.invalidScheme) { try scheme(["a": [[["b"], ["c"]], [["b"]]], "b": [[["a"]]], "c": []]) }
        expectRefusal(.invalidScheme) { try scheme(["a": [[["b"], ["none"]]], "b": []]) }
        expectRefusal(.invalidScheme) { try scheme(["a": [[]]]) }
    }

    @Test func newestKeysSignAllTypes() throws {
        let scene = try Scene.shared.get()
        let (keys, elements) = (scene.keys.publicKey, scene.keys.publicKey.elements)
        func key(
            _ counter: UInt,
            _ elements: IdemixKeyElements,
            isRevocable: Bool = true
        ) throws -> IdemixIssuerPublicKey {
            try IdemixIssuerPublicKey(
                counter: counter,
                expiryDate: Scene.now,
                elements: elements,
                revocationKey: isRevocable ? keys.revocationKey : nil
            )
        }
        // The card has four attributes, and needs six bases.
        let short = IdemixKeyElements(
            n: elements.n,
            Z: elements.Z,
            S: elements.S,
            R: Array(elements.R.prefix(5)),
            G: elements.G,
            H: elements.H
        )
        let bare = IdemixKeyElements(n: elements.n, Z: elements.Z, S: elements.S, R: elements.R)
        try Scene.scheme(publicKeys: []).checkNewestKeys()
        try Scene.scheme(publicKeys: [keys]).checkNewestKeys()
        try Scene.scheme(publicKeys: [key(1, short), keys]).checkNewestKeys()
        expectRefusal(.invalidScheme, at: "demo.bank.card") {
            try Scene.scheme(publicKeys: [keys, key(4, short)]).checkNewestKeys()
        }
        expectRefusal(.invalidScheme, at: "demo.bank.pass") {
            try Scene.scheme(publicKeys: [keys, key(4, bare, isRevocable: false)]).checkNewestKeys()
        }
    }

    @Test func invalidKeysAreFoundWhenTheyAreRead() async throws {
        let fixture = try SchemeFixture().changing("bank/PublicKeys/0.xml", "<Counter>0", "<Counter>5")
        let scheme = try await fixture.scheme()
        #expect(scheme.publicKey(of: "demo.bank", counter: 0) == nil)
        expectRefusal(.invalidScheme, at: "demo.bank") { try scheme.readAllKeys() }
        var misnamed = try SchemeFixture()
        misnamed.files["bank/PublicKeys/00.xml"] = misnamed.files["bank/PublicKeys/0.xml"]
        await expectRefusal(.invalidScheme) { [misnamed] in try await misnamed.scheme() }
    }

    @Test func requestorsAreFoundByTheirHosts() async throws {
        var fixture = try SchemeFixture()
        fixture.files = [
            "description.json": SchemeFixture.bytes(
                #"{"id":"demo","schemetype":"requestor","url":"https://s.example","languages":["en"]}"#
            ),
            "requestors.json": SchemeFixture.bytes(
                """
                [{"id":"demo.r","scheme":"demo","name":{"en":"R"},"hostnames":["r.example","*.sub.example"],
                  "valid_until":1800000000,"wizards":{"demo.r.w":{"id":"demo.r.w"}}}]
                """
            ),
        ]
        let scheme = try RequestorScheme(await fixture.verified())
        let schemes = try SchemeSnapshot([], requestorSchemes: [scheme])
        #expect(schemes.requestor(host: "R.example", at: SchemeFixture.time)?.id == "demo.r")
        #expect(schemes.requestor(host: "a.sub.example", at: SchemeFixture.time) != nil)
        #expect(schemes.requestor(host: "sub.example", at: SchemeFixture.time) == nil)
        #expect(schemes.requestor(host: "r.example", at: SchemeFixture.time + 1) == nil)
        #expect(try RequestorDescription(json: scheme.requestors[0].json()) == scheme.requestors[0])
        for (old, new) in [("\"demo\"", "\"other\""), ("\"requestor\"", "\"issuer\"")] {
            let changed = try fixture.changing("description.json", old, new)
            await expectRefusal(.invalidScheme) { try RequestorScheme(await changed.verified()) }
        }
        let foreign = try fixture.changing("requestors.json", "\"scheme\":\"demo\"", "\"scheme\":\"other\"")
        await expectRefusal(.invalidScheme) { try RequestorScheme(await foreign.verified()) }
    }

    /// The keys are not read before they are needed: their number hardly matters for the time that a scheme takes to load.
    @Test func largeSchemesLoadWithoutReadingKeys() async throws {
        let files = try await SchemeFixture(issuers: 200, keysPerIssuer: 3).verified().stored
        let scheme = try IRMAScheme(files.verified(by: files.storedPublicKey()))
        #expect(scheme.issuers.count == 200 && scheme.credentialTypes.count == 200)
        #expect(scheme.keyCounters(of: "demo.bank199") == [0, 1, 2])
        #expect(scheme.publicKey(of: "demo.bank199", counter: 2)?.counter == 2)
    }
}
