import Foundation
import IdemixCore
import JSONKit
import TestSupport
import Testing

/// The rules of the wire form, with made-up numbers.
@Suite struct WireFormTests {
    private static let commitment =
        #"{"U":"Ag==","c":"AQ==","v_prime_response":"Aw==","s_response":"BA==","m_user_responses":{"2":"BQ=="}}"#

    private func refusal<Message: IdemixJSON>(_ type: Message.Type, _ text: String) -> IdemixError? {
        do throws(IdemixError) {
            _ = try Message(decoding: Array(text.utf8))
            return nil
        } catch {
            return error
        }
    }

    private func read<Message: IdemixJSON>(_ text: String) throws -> Message {
        try Message(decoding: Array(text.utf8))
    }

    @Test(arguments: [
        (#""""#, 0), (#""AQ==""#, 1), (#""AAAB""#, 1), (#""AQA=""#, 256), ("0", 0), ("256", 256), ("007", nil),
        ("-1", nil), ("-0", nil), ("1.0", nil), ("1e2", nil), (#""AQ""#, nil), (#""AQ==\n""#, nil), (#""_w==""#, nil),
        (#""AR==""#, nil), ("null", nil), ("true", nil), ("[]", nil),
    ])
    func readsIntegersInBase64AndDecimal(text: String, value: Int?) {
        let integer = try? BigInteger(decoding: Array(text.utf8))
        #expect(integer == value.map { BigInteger($0) })
    }

    @Test func readsBareIntegersUpToALimit() throws {
        let digits = String(repeating: "9", count: BigInteger.maximumJSONDigits)
        #expect(try BigInteger(decoding: Array(digits.utf8)).decimal == digits)
        #expect(refusal(BigInteger.self, digits + "9")?.code == .invalidNumber)
    }

    @Test func readsIntegersInBase64UpToALimit() throws {
        let text = String(repeating: "A", count: BigInteger.maximumJSONCharacters)
        #expect(try BigInteger(decoding: Array("\"\(text)\"".utf8)) == 0)
        #expect(refusal(BigInteger.self, "\"\(text)AAAA\"")?.code == .invalidNumber)
    }

    @Test func readsDisclosedAttributesUpToALimitOfTheirOwn() throws {
        func proof(_ responses: Int, _ disclosed: Int) -> String {
            func text(_ count: Int) -> String { String(repeating: "A", count: count) }
            return #"{"c":"AQ==","A":"Ag==","e_response":"AQ==","v_response":"AQ==","#
                + #""a_responses":{"0":"\#(text(responses))"},"a_disclosed":{"2":"\#(text(disclosed))"}}"#
        }
        let (longest, longestAttribute) = (BigInteger.maximumJSONCharacters, BigInteger.maximumAttributeCharacters)
        let read: IdemixDisclosureProof = try read(proof(longest, longestAttribute))
        #expect(read.disclosedAttributes == [2: 0])
        #expect(refusal(IdemixDisclosureProof.self, proof(longest + 4, 4))?.path == ["a_responses", "0"])
        #expect(refusal(IdemixDisclosureProof.self, proof(4, longestAttribute + 4))?.path == ["a_disclosed", "2"])
    }

    @Test func readsAValueForEachBaseOfAKey() throws {
        func proof(_ count: Int) -> String {
            let values = (0..<count).map { "\"\($0)\":\"BQ==\"" }.joined(separator: ",")
            return Self.commitment.replacingOccurrences(of: #""2":"BQ==""#, with: values)
        }
        let read: IssuanceCommitmentProof = try read(proof(IdemixKeyElements.maximumBases))
        #expect(read.attributeResponses.count == 1_000)
        #expect(refusal(IssuanceCommitmentProof.self, proof(1_001))?.code == .limitExceeded)
    }

    @Test func writesIntegersInBase64AndRefusesNegativeOnes() throws {
        #expect(try BigInteger(0).json() == "")
        #expect(try BigInteger(255).json() == "/w==")
        #expect(try BigInteger(256).json() == "AQA=")
        #expect(code { _ = try BigInteger(-1).json() } == .invalidNumber)
        let proof: IssuanceCommitmentProof = try read(Self.commitment)
        let error = #expect(throws: IdemixError.self) {
            try IdemixProof.issuance(proof.changed(attributeResponses: [2: -1])).json()
        }
        #expect(error?.path == ["m_user_responses", "2"])
    }

    @Test func takesNullForAbsence() throws {
        let proof: IdemixProof = try read(Self.commitment.replacingOccurrences(of: #"{"2":"BQ=="}"#, with: "null"))
        let same: IdemixProof = try read(
            #"{"A":null,"c":"AQ==","U":"Ag==","v_prime_response":"Aw==","s_response":"BA=="}"#
        )
        #expect(proof == same)
        let list: IdemixProofList = try read("null")
        #expect(list == IdemixProofList([]))
        #expect(try list.json() == [])
        let signature: CLSignature = try read(#"{"A":"Ag==","e":"AQ==","v":"AQ=="}"#)
        #expect(signature == (try read(#"{"A":"Ag==","e":"AQ==","v":"AQ==","KeyshareP":null}"#)))
        // Null is written where the Go implementation writes it.
        #expect(try signature.json()["KeyshareP"]?.isNull == true)
        let response: KeyshareResponse = try read(#"{"P":null,"c":"AQ==","s_response":"Ag=="}"#)
        #expect(try response.json()["P"] as JSONValue?? == .some(.none))
    }

    @Test func takesNamesInAnyLetterCaseAndPassesOverOthers() throws {
        let shouted: IdemixProof = try read(
            Self.commitment.uppercased().replacingOccurrences(of: "AG==", with: "Ag==")
                .replacingOccurrences(of: "AW==", with: "Aw==")
        )
        #expect(shouted == (try read(Self.commitment)))
        let more: IdemixProof = try read(#"{"unknown":[1],"# + Self.commitment.dropFirst())
        #expect(more == shouted)
        let twice = refusal(IdemixProof.self, #"{"u":"Ag==","# + Self.commitment.dropFirst())
        #expect(twice?.code == .malformedJSON)
        #expect(twice?.path == ["U"])
    }

    @Test(arguments: ["-1", "+1", "01", "", "x", " 1", "1.0", "99999999999999999999"])
    func refusesIndicesOfAnotherForm(index: String) {
        let error = refusal(IdemixProof.self, Self.commitment.replacingOccurrences(of: #""2""#, with: "\"\(index)\""))
        #expect(error?.code == .malformedJSON)
        #expect(error?.path == ["m_user_responses", index])
    }

    @Test(arguments: [
        ("not JSON", IdemixError.Code.malformedJSON, []), ("7", .malformedJSON, []),
        ("[null]", .malformedJSON, ["[0]"]),
        ("[7]", .malformedJSON, ["[0]"]), (#"[{"c":"AQ=="}]"#, .malformedJSON, ["[0]"]),
        (#"[{"U":"Ag=="}]"#, .malformedJSON, ["[0]", "c"]), (#"[{"A":"Ag==","c":-1}]"#, .invalidNumber, ["[0]", "c"]),
        (#"[{"U":"Ag==","c":"AQ==","v_prime_response":true}]"#, .invalidNumber, ["[0]", "v_prime_response"]),
    ])
    func refusesOtherLists(text: String, code: IdemixError.Code, path: [String]) {
        let error = refusal(IdemixProofList.self, text)
        #expect(error?.code == code)
        #expect(error?.path == path)
    }

    @Test func readsWithinLimits() throws {
        let bytes = Array("[\(Self.commitment)]".utf8)
        #expect(try IdemixProofList(decoding: bytes, limits: JSONLimits(size: bytes.count)).proofs.count == 1)
        #expect(
            code { _ = try IdemixProofList(decoding: bytes, limits: JSONLimits(size: bytes.count - 1)) }
                == .malformedJSON
        )
    }

    @Test func takesAnyContiguousBytes() throws {
        let text = "[\(Self.commitment)]"
        let bytes = Array(text.utf8)
        let padded = [0] + bytes + [0]
        let list = try IdemixProofList(decoding: bytes)
        #expect(try IdemixProofList(decoding: Data(bytes)) == list)
        #expect(try IdemixProofList(decoding: Data(padded)[1..<(bytes.count + 1)]) == list)
        #expect(try IdemixProofList(decoding: padded[1...bytes.count]) == list)
        #expect(try ContiguousArray(bytes).withUnsafeBytes { try IdemixProofList(decoding: $0) } == list)
        let xml = try TestKeys.pair(.bits1024).publicKey.xml
        let wide = [0] + xml + [0]
        #expect(try IdemixIssuerPublicKey(xml: Data(xml)) == IdemixIssuerPublicKey(xml: wide[1...xml.count]))
    }

    @Test func isAPartOfLargerMessages() throws {
        struct Message: Codable, Equatable {
            let combinedProofs: IdemixProofList
            let n_2: BigInteger
        }
        let text = #"{"combinedProofs":[\#(Self.commitment)],"n_2":"AQA="}"#
        let message = try StrictJSONDecoder().decode(Message.self, from: text)
        #expect(message.n_2 == 256 && message.combinedProofs.proofs.count == 1)
        #expect(String(decoding: try StrictJSONEncoder().encode(message), as: UTF8.self) == text)
        let foundation = try JSONDecoder().decode(Message.self, from: Data(text.utf8))
        #expect(foundation == message)
    }

    @Test(arguments: [
        (#"{"sign":0}"#, ["sign"]), (#"{"sign":2}"#, ["sign"]), (#"{"sign":"1"}"#, ["sign"]), (#"{"a":-1}"#, ["a"]),
        (#"{"a":4294967296}"#, ["a"]), (#"{"l_d":1.5}"#, ["l_d"]), (#"{"k":-1}"#, ["k"]), (#"{"Cs":{}}"#, ["Cs"]),
        (#"{"ds":[true]}"#, ["ds", "[0]"]),
    ])
    func refusesOtherRangeProofs(change: String, path: [String]) throws {
        var object = try #require(
            JSONValue(
                parsing: #"{"Cs":["Ag=="],"ds":["AQ=="],"vs":["AQ=="],"v5":"","l_d":128,"sign":-1,"a":1,"k":"BQ=="}"#
            )
            .objectValue
        )
        let proof = try RangeProof(json: .object(object))
        #expect(proof.statement == RangeStatement(.atMost, 5))
        #expect(try proof.json() == .object(object))
        for (name, value) in try #require(JSONValue(parsing: change).objectValue) { object[name] = value }
        let error = #expect(throws: IdemixError.self) { try RangeProof(json: .object(object)) }
        #expect(error?.path == path)
    }

    @Test func readsWhatItWritesOfEveryProof() throws {
        let world = try TestWorld()
        let authority = try RevocationAuthority(keys: world.keys, at: TestWorld.time, using: world.randomness)
        let credential = try world.issue(try TestWorld.attributes(["a", "b"]), authority: authority)
        let builder = IdemixProofListBuilder(using: world.randomness)
        let request = try IdemixDisclosureRequest(
            credential,
            disclosing: [2],
            provingNonRevocation: true,
            statements: [3: [RangeStatement(.atLeast, 1), RangeStatement(.atMost, .powerOfTwo(60))]]
        )
        try builder.add(request)
        _ = try builder.addIssuance(publicKey: world.publicKey, secretKey: world.secretKey, blindIndices: [3])
        let contributions = try builder.contributions
        let list = try builder.prove(nonce: 5)
        #expect(try IdemixProofList(decoding: list.encoded()) == list)
        let inputs = contributions.map {
            KeyshareChallengeInput(key: KeyshareKeyIdentifier("a.b-1"), contributions: $0)
        }
        #expect(try [KeyshareChallengeInput](decoding: inputs.encoded()) == inputs)
        for kind in IdemixChallenge.Kind.allCases {
            let request = KeyshareCommitment.ChallengeRequest(
                challenge: IdemixChallenge(context: 2, nonce: 3, kind: kind),
                userResponse: 4,
                inputs: inputs
            )
            let again = try KeyshareCommitment.ChallengeRequest(decoding: request.encoded())
            #expect(again.challenge == request.challenge && again.userResponse == 4 && again.inputs == inputs)
        }
        let witness = try #require(credential.witness).message
        let noted = ReceivedWitness(
            u: witness.u,
            e: witness.e,
            signedAccumulator: witness.signedAccumulator,
            updated: TestWorld.time
        )
        for witness in [witness, noted] { #expect(try ReceivedWitness(decoding: witness.encoded()) == witness) }
        #expect(try witness.json()["Updated"] == "0001-01-01T00:00:00Z")
    }

    @Test func readsTheTimeOfAWitness() throws {
        let sacc = #""sacc":{"data":"AA==","pk":1}"#
        func updated(_ time: String) -> Result<Date?, any Error> {
            Result { try (read(#"{"u":"Ag==","e":"Cw==",\#(sacc),"Updated":\#(time)}"#) as ReceivedWitness).updated }
        }
        #expect(try updated("null").get() == nil)
        #expect(try updated(#""2023-11-14T22:13:20Z""#).get() == Date(timeIntervalSince1970: 1_700_000_000))
        #expect(try updated(#""2023-11-14T23:13:20+01:00""#).get() == Date(timeIntervalSince1970: 1_700_000_000))
        let fraction = try #require(try updated(#""2023-11-14T22:13:20.25Z""#).get())
        #expect(abs(fraction.timeIntervalSince1970 - 1_700_000_000.25) < 0.001)
        #expect(throws: IdemixError.self) { try updated(#""yesterday""#).get() }
        #expect(throws: IdemixError.self) { try updated("7").get() }
    }

    @Test func readsEventHashesInURLSafeBase64WithPadding() throws {
        let hash = RevocationEvent.first.hash
        let text = try #require(hash.json().stringValue)
        #expect(text.hasSuffix("==") && text.utf8.count == 48)
        #expect(try RevocationEventHash(json: .string(text)) == hash)
        for other in [String(text.dropLast(2)), text + "==", "+" + text.dropFirst(), "", "A" + text.dropFirst()] {
            #expect(throws: IdemixError.self) { try RevocationEventHash(json: .string(other)) }
        }
    }
}
