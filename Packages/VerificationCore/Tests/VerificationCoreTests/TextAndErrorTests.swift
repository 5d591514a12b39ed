import Testing
@_spi(Layers) import VerificationCore

/// Text that compares by its bytes, and errors that print by one rule.
@Suite struct TextAndErrorTests {
    struct LayerError: CodedError {
        struct Code: Hashable, Sendable, CustomStringConvertible {
            let description: String
            static let malformed = Code(description: "malformed")
            static let refused = Code(description: "refused")
        }

        let details: ErrorDetails<Code>

        init(_ details: ErrorDetails<Code>) {
            self.details = details
        }
    }

    @Test func comparesBytes() {
        let (composed, decomposed): (ExactText, ExactText) = ("\u{e9}", "e\u{301}")
        #expect(composed.text == decomposed.text && composed != decomposed)
        #expect(Set([composed, decomposed, composed]).count == 2)
        #expect("\(ExactText("a\nb"))" == #"a\u{000A}b"#)
        #expect([decomposed, composed].sorted() == [decomposed, composed])
        #expect("a".hasSameBytes(as: "a") && !"a".hasSameBytes(as: "ab"))
    }

    @Test func readsTimesWithoutAZoneOnlyAsUTC() {
        let text = "2024-02-29T12:30:00"
        #expect(XMLDateTime.date(text) == nil)
        #expect(XMLDateTime.dateAssumingUTC(text) == XMLDateTime.date(text + "Z"))
        let offset = XMLDateTime.dateAssumingUTC(text + "+01:00")
        #expect(offset == XMLDateTime.date("2024-02-29T11:30:00Z"))
        for zone in ["+14:01", "+00:60", "+", "z", "Z ", " "] {
            #expect(XMLDateTime.dateAssumingUTC(text + zone) == nil, "\(zone)")
        }
    }

    @Test func printsCodePlaceMessageAndCause() {
        let cause = LayerError(.malformed, "below", offset: 3)
        let error = LayerError(.malformed, "a\nb", path: ["inner"], cause: cause).inside("outer")
        #expect(
            error.description == #"malformed in outer.inner: a\u{000A}b (malformed at byte 3: below)"#
        )
        #expect(error.code == .malformed && error.path == ["outer", "inner"] && error.offset == nil)
        #expect((error.cause as? LayerError)?.offset == 3)
    }

    @Test func putsTheCauseBehindTheMessage() {
        let cause = LayerError(.malformed, "below", path: ["outer", "inner"], offset: 3)
        let error = LayerError(.malformed, "above", path: cause.path, cause: cause.withoutPlace)
        #expect(error.messageWithCause == "above (malformed at byte 3: below)")
        #expect(error.description == "malformed in outer.inner: above (malformed at byte 3: below)")
        #expect(cause.messageWithCause == "below")
    }

    @Test func saysTheWordsOfACauseOnce() {
        let innermost = LayerError(.malformed, "the system's words")
        let cause = LayerError(.malformed, "words", path: ["inner"], offset: 3, cause: innermost)
        let error = LayerError(.refused, "words", path: ["outer"], cause: cause)
        let words = "words (malformed in inner at byte 3 (malformed: the system's words))"
        #expect(error.messageWithCause == words)
        #expect(error.description == "refused in outer: \(words)")
        #expect(error.fault == .failed("refused", words, path: ["outer"]))
    }
}
