import JOSEKit
import JSONKit
import SDJWTKit
import Testing

@Suite struct TypeMetadataDisplayTests {
    private let scene: Scene

    init() throws {
        scene = try Scene()
    }

    private func metadata(_ document: JSONValue) async throws -> TypeMetadata {
        let type = try #require(document["vct"]?.stringValue)
        return try await TypeMetadata.load(type, from: LocalTypeMetadata([ExactText(type): document.encoded()]))
    }

    @Test(
        arguments: [
            (["de-AT"], "Österreich"), (["de-DE", "en"], "Deutsch"), (["de-CH-1996"], "Deutsch"),
            (["fr-CA"], "Français"),
            (["nl", "EN"], "English"), (["nl"], "English"), ([], "English"), ([""], "English"), (["zh-Hant-TW"], "繁體"),
        ] as [([String], String)]
    )
    func theLanguageThatIsLikedBest(languages: [String], name: String) async throws {
        let names = [
            ("en", "English"), ("de", "Deutsch"), ("de-AT", "Österreich"), ("fr-FR", "Français"), ("zh-Hant", "繁體"),
        ]
        let display = names.map { JSONValue.object(["locale": .string($0.0), "name": .string($0.1)]) }
        let metadata = try await metadata(["vct": "t", "display": .array(display)])
        #expect(metadata.display(for: languages)?.name == name)
    }

    @Test func claimsWithNamesForPeople() async throws {
        let metadata = try await metadata([
            "vct": .string(Scene.credentialType),
            "claims": [
                ["path": ["family_name"], "display": [["locale": "en", "label": "Family name"]]],
                [
                    "path": ["given_name"], "svg_id": "given",
                    "display": [
                        ["locale": "en", "label": "Given name"],
                        ["locale": "de", "label": "Vorname", "description": "Der Rufname"],
                    ],
                ],
                ["path": ["nationalities", nil]], ["path": ["iss"]],
            ],
        ])
        let presentation = try await scene.presentation(of: [["given_name"], ["nationalities", 1]])
        let verified = try scene.verify(presentation).get()
        let claims = try metadata.displayedClaims(of: verified.payload, for: ["de"])
        #expect(claims.map(\.label) == ["Vorname", nil, nil])
        #expect(claims.map(\.values) == [["Erika"], ["NL"], ["https://issuer.example"]])
        #expect(claims.map(\.isConcealable) == [true, true, false])
        #expect(claims[0].description == "Der Rufname")
        #expect(claims[0].svgID == "given")
    }

    @Test func metadataWithoutDisplay() async throws {
        #expect(try await metadata(["vct": "t"]).display(for: ["en"]) == nil)
    }
}
