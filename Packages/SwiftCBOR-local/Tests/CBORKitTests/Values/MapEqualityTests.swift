import CBORKit
import Testing

@Suite struct MapEqualityTests {
    @Test func orderDoesNotCount() {
        let first: CBOR = ["a": 1, "b": [1: "x", 2: "y"], 3: nil]
        let second: CBOR = [3: nil, "b": [2: "y", 1: "x"], "a": 1]
        #expect(first == second)
        #expect(first.hashValue == second.hashValue)
        #expect(first != ["a": 1, "b": [1: "x", 2: "z"], 3: nil])
        #expect(first != ["a": 1, "b": [1: "x", 2: "y"], 4: nil])
        #expect(first != ["a": 1, "b": [1: "x", 2: "y"]])
    }

    /// Work that doubled at every level would not end here.
    @Test func nestingDoesNotMultiplyTheWork() {
        func nested(_ levels: Int, _ tail: (CBOR, CBOR)) -> CBOR {
            (0..<levels).reduce(0) { inner, _ in .map([0: inner, 1: tail.0, 2: tail.1]) }
        }
        func turned(_ levels: Int) -> CBOR {
            (0..<levels).reduce(0) { inner, _ in .map([0: inner, 2: 6, 1: 5]) }
        }
        #expect(nested(100, (5, 6)) == turned(100))
        #expect(nested(100, (5, 7)) != turned(100))
    }
}
