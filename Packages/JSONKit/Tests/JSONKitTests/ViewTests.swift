@_spi(Layers) import JSONKit
import Testing

@Suite struct ViewTests {
    static let text = """
        { "vp_formats": {"mso_mdoc": {"alg": ["ES256", "ES384", -7 ]}, "dc+sd-jwt": {}},
          "nonce" : "a\\u0062c", "exp": 1.5e3, "ok": true, "no": false, "none": null, "": [[1], {"x": "y"}] }
        """

    let document: JSONDocument

    init() throws {
        document = try JSONDocument(Self.text)
    }

    @Test func tellsKinds() throws {
        #expect(document.root.kind == .object)
        #expect(document.root["vp_formats"]?["mso_mdoc"]?["alg"]?.kind == .array)
        #expect(document.root["nonce"]?.kind == .string)
        #expect(document.root["exp"]?.kind == .number)
        #expect(document.root["ok"]?.kind == .boolean)
        #expect(document.root["no"]?.kind == .boolean)
        #expect(document.root["none"]?.kind == .null)
        #expect(document.root["none"]?.isNull == true)
        #expect(document.root.isNull == false)
    }

    @Test func readsScalars() throws {
        let root = try document.root.object()
        #expect(try root.required("nonce").string() == "abc")
        #expect(try root.required("nonce").stringBytes().elementsEqual("abc".utf8))
        #expect(try root.required("exp").number().text == "1.5e3")
        #expect(try root.required("exp").integer() == 1500)
        #expect(try root.required("exp").double() == 1500)
        #expect(try root.required("ok").bool())
        #expect(try !root.required("no").bool())
    }

    @Test func keepsTheBytesOfEveryValue() throws {
        let formats = try #require(document.root["vp_formats"])
        let expected = #"{"mso_mdoc": {"alg": ["ES256", "ES384", -7 ]}, "dc+sd-jwt": {}}"#
        #expect(formats.bytes.elementsEqual(expected.utf8))
        #expect(document.root.bytes.elementsEqual(Self.text.utf8))
        #expect(document.bytes.elementsEqual(Self.text.utf8))
        #expect(document.root["nonce"]?.bytes.elementsEqual(#""a\u0062c""#.utf8) == true)
        #expect(document.root["vp_formats"]?["mso_mdoc"]?["alg"]?[2]?.bytes.elementsEqual("-7".utf8) == true)
    }

    @Test func worksOnAPartOfAnArray() throws {
        let bytes = [UInt8](#"xx {"a":["é",12]} "#.utf8)
        let part = try JSONDocument(bytes[2...])
        let element = try #require(part.root["a"]?[1])
        #expect(try element.integer() == 12)
        #expect(element.offset == 12)
        #expect(element.bytes == bytes[14..<16])
        #expect(element.bytes.startIndex == 14)
        #expect(try part.root["a"]?[0]?.stringBytes().startIndex == 10)
        #expect(try JSONDocument(AnyCollection(bytes[2...])).root["a"]?[0]?.string() == "é")
        let error = #expect(throws: JSONError.self) { try JSONDocument(bytes[..<4]) }
        #expect(error?.offset == 0)
    }

    @Test func walksArraysAndObjects() throws {
        let algorithms = try #require(try document.root["vp_formats"]?["mso_mdoc"]?["alg"]?.array())
        #expect(algorithms.count == 3)
        #expect(!algorithms.isEmpty)
        #expect(algorithms.map { $0.kind } == [.string, .string, .number])
        #expect(try algorithms.element(at: 1).string() == "ES384")
        #expect(algorithms[3] == nil)
        #expect(algorithms[-1] == nil)
        let object = try document.root.object()
        #expect(object.names == ["vp_formats", "nonce", "exp", "ok", "no", "none", ""])
        #expect(object.count == 7)
        #expect(object.map { $0.value.kind } == [.object, .string, .number, .boolean, .boolean, .null, .array])
        #expect(try object.required("vp_formats").object()["dc+sd-jwt"]?.object().isEmpty == true)
        #expect(object["absent"] == nil)
        #expect(document.root[""]?[1]?["x"]?.kind == .string)
        #expect(document.root[0] == nil)
        #expect(document.root["nonce"]?["x"] == nil)
    }

    @Test func findsNamesByTheirBytes() throws {
        let root = try JSONDocument("{\"caf\u{e9}\":1,\"cafe\u{301}\":2,\"\\u0061b\":3,\"abc\":4}").root
        #expect(try root["caf\u{e9}"]?.integer() == 1)
        #expect(try root["cafe\u{301}"]?.integer() == 2)
        #expect(try root["ab"]?.integer() == 3)
        #expect(try root["abc"]?.integer() == 4)
        #expect(root["a"] == nil)
        #expect(root["\\u0061b"] == nil)
    }

    @Test func tellsPathsAndOffsets() throws {
        let algorithm = try #require(document.root["vp_formats"]?["mso_mdoc"]?["alg"]?[2])
        #expect(algorithm.path.description == "$.vp_formats.mso_mdoc.alg[2]")
        #expect(document.root["vp_formats"]?["dc+sd-jwt"]?.path.description == #"$.vp_formats["dc+sd-jwt"]"#)
        #expect(document.root[""]?[1]?["x"]?.path.description == #"$[""][1].x"#)
        #expect(document.root.path.description == "$")
        #expect(Self.text.utf8.dropFirst(algorithm.offset).starts(with: "-7".utf8))
    }

    @Test func errorsSayWhatAndWhere() throws {
        let algorithm = try #require(document.root["vp_formats"]?["mso_mdoc"]?["alg"]?[2])
        let mismatch = try #require(throws: JSONError.self) { try algorithm.string() }
        #expect(mismatch.code == .typeMismatch)
        #expect(mismatch.offset == algorithm.offset)
        #expect(
            mismatch.description
                == "typeMismatch at $.vp_formats.mso_mdoc.alg[2] (byte 56): expected string, found number"
        )
        let missing = try #require(throws: JSONError.self) { try document.root.object().required("no\nname") }
        #expect(missing.description == #"missingMember at $ (byte 0): no member "no\nname""#)
        let element = try #require(throws: JSONError.self) { try document.root[""]?.array().element(at: 2) }
        #expect(element.code == .missingElement)
        #expect(element.path.description == #"$[""]"#)
    }

    @Test func everyReadingRefusesOtherKinds() throws {
        for (_, view) in try document.root.object() {
            expectMismatch(view, unless: .string) { _ = try view.string() }
            expectMismatch(view, unless: .string) { _ = try view.stringBytes() }
            expectMismatch(view, unless: .number) { _ = try view.number() }
            expectMismatch(view, unless: .number) { _ = try view.integer(as: Int.self) }
            expectMismatch(view, unless: .number) { _ = try view.double() }
            expectMismatch(view, unless: .boolean) { _ = try view.bool() }
            expectMismatch(view, unless: .array) { _ = try view.array() }
            expectMismatch(view, unless: .object) { _ = try view.object() }
        }
    }

    @Test func positionsReadWhatViewsRead() throws {
        let document = try JSONDocument(#"["a\n",[],[1,[2],{"x":[3]}],{},null,true,1.5,"b"]"#)
        var positions: [JSONPosition] = []
        var next = document.firstElement(of: document.rootPosition)
        while let position = next {
            positions.append(position)
            next = document.element(after: position, in: document.rootPosition)
        }
        let views = Array(try document.root.array())
        #expect(positions == views.map(\.position))
        for (position, view) in zip(positions, views) {
            #expect(document.kind(at: position) == view.kind)
            #expect(document.range(at: position) == view.offset..<view.offset + view.bytes.count)
            #expect(try document.value(at: position) == view.value())
            let isContainer = view.kind == .array || view.kind == .object
            #expect(try document.scalar(at: position) == (isContainer ? Optional.none : view.value()))
            #expect(try view.document.view(at: position).value() == view.value())
            if view.kind == .string {
                #expect(try document.string(at: position) == view.string())
            } else {
                #expect(throws: JSONError.self) { try document.string(at: position) }
            }
            let inner = view.kind == .array ? Array(try view.array()).first?.position : nil
            #expect(document.firstElement(of: position) == inner)
            if view.kind == .string {
                #expect(try document.stringBytes(at: position) == view.stringBytes())
            } else {
                #expect(throws: JSONError.self) { try document.stringBytes(at: position) }
            }
            #expect(document.firstMember(of: position) == (view["x"] ?? view["y"])?.position)
        }
        #expect(positions.map { document.count(at: $0) } == [0, 0, 3, 0, 0, 0, 0, 0])
        #expect(positions.map { document.stringRange(at: $0) } == [nil, nil, nil, nil, nil, nil, nil, 46..<47])
        #expect(positions.map { document.depth(at: $0) } == [0, 1, 3, 1, 0, 0, 0, 0])
        #expect(document.depth(at: document.rootPosition) == 4)
    }

    @Test func positionsOfMembersReadWhatViewsRead() throws {
        let document = try JSONDocument(#"{"a":{"b":1},"\u0062":[{"b":{"b":2}}],"":{},"caf\u00e9":3}"#)
        let root = document.rootPosition
        var names: [String] = []
        var positions: [JSONPosition] = []
        var next = document.firstMember(of: root)
        while let member = next {
            names.append(document.name(ofMemberAt: member))
            positions.append(member)
            next = document.member(after: member, in: root)
        }
        #expect(names == ["a", "b", "", "caf\u{e9}"])
        #expect(positions == (try document.root.object()).map(\.value.position))
        #expect(names.map { document.member($0, of: root) } == positions)
        #expect(document.member("c", of: root) == nil)
        #expect(document.member("b", of: positions[1]) == nil)
        #expect(document.firstMember(of: positions[2]) == nil)
        #expect(document.firstMember(of: positions[1]) == nil)
        #expect(document.name(ofMemberAt: root).isEmpty)
        let element = try #require(document.firstElement(of: positions[1]))
        #expect(document.name(ofMemberAt: element).isEmpty)
    }

    @Test func namesAreFoundAtEveryDepth() throws {
        let document = try JSONDocument(#"{"a":{"b":1},"\u0062":[{"b":{"b":2}},"b"],"c":{}}"#)
        let found = document.members(named: "b", inside: document.rootPosition)
        #expect(found.map { document.view(at: $0).path.description } == ["$.a.b", "$.b", "$.b[0].b", "$.b[0].b.b"])
        #expect(document.members(named: "d", inside: document.rootPosition).isEmpty)
        let list = document.members(named: "b", inside: found[1])
        #expect(list == Array(found[2...]))
        #expect(document.members(named: "b", inside: found[0]).isEmpty)
        let extent = document.extent(of: found[1])
        #expect(found.map { extent.contains($0) } == [false, true, true, true])
        #expect(found == found.sorted())
        #expect(document.depth(at: found[1]) == 3)
    }

    private func expectMismatch(_ view: JSONView, unless kind: JSONKind, _ read: () throws -> Void) {
        guard view.kind != kind else { return }
        let error = #expect(throws: JSONError.self) { try read() }
        #expect(error?.code == .typeMismatch)
        #expect(error?.offset == view.offset)
    }
}
