import JSONKit
import SDJWTKit
import Testing

@Suite struct TypeMetadataDocumentTests {
    private func document(_ value: JSONValue) throws -> TypeMetadataDocument {
        try TypeMetadataDocument(decoding: value.encoded())
    }

    @Test func everyProperty() throws {
        let integrity = "sha256-RBNvo1WzZ4oRRq0W9+hknpT7T8If536DEMBg9hyq/4o="
        let document = try document([
            "vct": "https://example.com/type",
            "name": "Type", "description": "A type", "extends": "https://example.com/base",
            "extends#integrity": .string(integrity),
            "unknown": ["ignored": true],
            "display": [
                [
                    "locale": "de", "name": "Ausweis", "description": "Für alle",
                    "rendering": [
                        "simple": [
                            "logo": [
                                "uri": "https://example.com/logo.png", "uri#integrity": .string(integrity),
                                "alt_text": "Logo",
                            ],
                            "background_image": ["uri": "data:image/png;base64,AAAA"],
                            "background_color": "#12107c", "text_color": "#FFFFFF",
                        ],
                        "svg_templates": [
                            ["uri": "https://example.com/a.svg", "properties": ["orientation": "portrait"]],
                            [
                                "uri": "https://example.com/b.svg",
                                "properties": ["color_scheme": "dark", "contrast": "high"],
                            ],
                        ],
                    ],
                ]
            ],
            "claims": [
                [
                    "path": ["name"], "mandatory": true, "sd": "always", "svg_id": "name_1",
                    "display": [["locale": "de", "label": "Name", "description": "Vor- und Nachname"]],
                ],
                ["path": ["degrees", nil, "type"]],
            ],
        ])
        #expect(document.vct == "https://example.com/type")
        #expect(document.name == "Type")
        #expect(document.extends == "https://example.com/base")
        #expect(document.extendsIntegrity?.text == integrity)
        let display = try #require(document.display?.first)
        #expect(display.name == "Ausweis")
        #expect(display.simpleRendering?.logo?.alternativeText == "Logo")
        #expect(display.simpleRendering?.backgroundImage?.integrity == nil)
        #expect(display.simpleRendering?.textColor == "#FFFFFF")
        #expect(display.svgTemplates.map(\.orientation) == ["portrait", nil])
        #expect(display.svgTemplates.map(\.colorScheme) == [nil, "dark"])
        let claim = document.claims[0]
        #expect(claim.path == ["name"])
        #expect(claim.isMandatory)
        #expect(claim.selectiveDisclosure == .always)
        #expect(claim.svgID == "name_1")
        #expect(claim.display?.first?.label == "Name")
        #expect(document.claims[1].selectiveDisclosure == nil)
        #expect(!document.claims[1].isMandatory)
    }

    @Test func theNameOfTheLanguageInEarlierDrafts() throws {
        let document = try document(["vct": "t", "display": [["lang": "en", "name": "n"]]])
        #expect(document.display?.first?.locale == "en")
    }

    @Test(
        arguments: [
            [], [:], ["vct": 1], ["vct": ""], ["vct": "t", "claims": [:]], ["vct": "t", "claims": [1]],
            ["vct": "t", "claims": [[:]]], ["vct": "t", "claims": [["path": []]]],
            ["vct": "t", "claims": [["path": [-1]]]],
            ["vct": "t", "claims": [["path": ["a"], "sd": "sometimes"]]],
            ["vct": "t", "claims": [["path": ["a"], "mandatory": "yes"]]],
            ["vct": "t", "claims": [["path": ["a"], "svg_id": "1a"]]],
            ["vct": "t", "claims": [["path": ["a"], "svg_id": "a-b"]]],
            ["vct": "t", "claims": [["path": ["a"], "svg_id": ""]]],
            ["vct": "t", "claims": [["path": ["a"], "display": [["locale": "en"]]]]],
            ["vct": "t", "claims": [["path": ["a"]], ["path": ["a"]]]],
            ["vct": "t", "claims": [["path": ["a"], "svg_id": "x"], ["path": ["b"], "svg_id": "x"]]],
        ] as [JSONValue]
    )
    func refusesOtherForms(value: JSONValue) {
        expectRefusal(.malformedTypeMetadata) { try document(value) }
    }

    /// They are for the user's eyes alone, and refuse no credential.
    @Test(
        arguments: [
            ["vct": "t", "display": [:]], ["vct": "t", "display": [["name": "n"]]],
            ["vct": "t", "display": [["locale": "en"]]],
            ["vct": "t", "display": [["locale": "en", "name": "n", "rendering": ["simple": ["logo": [:]]]]]],
            [
                "vct": "t",
                "display": [["locale": "en", "name": "n", "rendering": ["simple": ["logo": ["uri": "http://a"]]]]],
            ],
            [
                "vct": "t",
                "display": [
                    [
                        "locale": "en", "name": "n",
                        "rendering": ["svg_templates": [["uri": "https://a"], ["uri": "https://b"]]],
                    ]
                ],
            ],
            [
                "vct": "t",
                "display": [
                    [
                        "locale": "en", "name": "n",
                        "rendering": ["svg_templates": [["uri": "https://a", "properties": [:]]]],
                    ]
                ],
            ],
            [
                "vct": "t",
                "display": [
                    [
                        "locale": "en", "name": "n",
                        "rendering": ["svg_templates": [["uri": "https://a", "properties": ["contrast": "low"]]]],
                    ]
                ],
            ],
        ] as [JSONValue]
    )
    func leavesOutDisplayPropertiesThatCannotBeRead(value: JSONValue) throws {
        let document = try document(value)
        #expect(document.display == nil)
        #expect(document.displayFaults.map(\.code) == [.malformedTypeMetadata])
        guard case .array(let entries)? = value["display"], let entry = entries.first else { return }
        let two = try self.document(["vct": "t", "display": [entry, ["locale": "de", "name": "n"]]])
        #expect(two.display?.map(\.locale) == ["de"] && two.displayFaults.count == 1)
    }

    @Test func refusesTextsThatAreNoJSONAndTooMuch() throws {
        expectRefusal(.malformedTypeMetadata) { try TypeMetadataDocument(decoding: Array("{".utf8)) }
        expectRefusal(.malformedTypeMetadata) {
            try TypeMetadataDocument(decoding: Array(#"{"vct":"a","vct":"b"}"#.utf8))
        }
        expectRefusal(.malformedTypeMetadata) { try document(["vct": "t", "extends#integrity": 1]) }
        func claims(_ count: Int) -> JSONValue {
            ["vct": "t", "claims": .array((0..<count).map { ["path": [.string("c\($0)")]] })]
        }
        _ = try document(claims(TypeMetadataDocument.maximumClaims))
        expectRefusal(.limitExceeded) { try document(claims(TypeMetadataDocument.maximumClaims + 1)) }
        let large = [UInt8](repeating: 0x20, count: 1 << 20) + Array(#"{"vct":"t"}"#.utf8)
        expectRefusal(.limitExceeded) { try TypeMetadataDocument(decoding: large) }
    }
}
