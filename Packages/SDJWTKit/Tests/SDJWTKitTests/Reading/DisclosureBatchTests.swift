import JOSEKit
import JSONKit
import SDJWTKit
import Testing

/// Disclosures are read together; each must be one by itself.
@Suite struct DisclosureBatchTests {
    private let scene: Scene

    init() throws {
        scene = try Scene()
    }

    private func read(_ contents: [String]) async throws -> SDJWT {
        let jwt = try await assemble(["a": 1], signer: scene.issuer)
        let texts = contents.map { Base64URL.encode(Array($0.utf8)) }
        return try SDJWT(compact: jwt + texts.map { $0 + "~" }.joined())
    }

    @Test(arguments: [
        [#"["s","a",1],["s","b",2]"#, #"["s""#, #""c",3]"#], [#"["s""#, #""a",1]"#], [#"["s","a",[1"#, #"2]]"#],
        [#"["s","a",1]],["#, #""s","b",2]"#], [#"["s","a",1],["s","b",2]"#, " "], ["", #"["s","a",1],["s","b",2]"#],
        [#"["s","a",1]"#, #"["s","b",2"#],
    ])
    func noneConsistsOfTwoOrOfAPart(contents: [String]) async {
        await expectRefusal(.malformedDisclosure) { try await read(contents) }
    }

    @Test func whiteSpaceAroundContentsIsKept() async throws {
        let sdJWT = try await read([" [\"s\",\"a\",1]\n", "\t[\"s\", 2 ] ", #"["s","c",{"d":[3]}]"#])
        #expect(sdJWT.disclosures.map(\.claimName) == ["a", nil, "c"])
        #expect(sdJWT.disclosures.map(\.value) == [1, 2, ["d": [3]]])
        #expect(sdJWT.disclosures.map(\.salt) == ["s", "s", "s"])
    }

    @Test func theFaultyOneIsNamed() async {
        let error = await #expect(throws: SDJWTError.self) { try await read([#"["s","a",1]"#, #"["s"]"#, "x"]) }
        #expect(error?.path == ["SD-JWT", "disclosures[1]"])
    }
}
