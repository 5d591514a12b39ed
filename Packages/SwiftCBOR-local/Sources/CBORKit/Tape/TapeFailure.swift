/// The failure of the tape builder: a few numbers, put into words only at the end.
struct TapeFailure: Error {
    let reason: Reason
    /// The byte that is wrong, from the start of the input.
    let position: Int
    /// The index of the entry of the item that is wrong; one past the last if the item could not begin.
    let entry: Int
    /// The argument of the reason: a claimed length, a tag number, the number of trailing bytes.
    let argument: UInt64

    init(_ reason: Reason, position: Int, entry: Int, argument: UInt64 = 0) {
        self.reason = reason
        self.position = position
        self.entry = entry
        self.argument = argument
    }

    enum Reason {
        case missingItem, truncatedHead, unfinishedChunks, shortArray, shortMap, shortString
        case reserved, unexpectedBreak, invalidChunk, invalidSimpleValue, invalidUTF8, trailingBytes
        case tooLong, tooDeep, tooManyItems, longString, nestedKeys
        case duplicateKey, keyOrder
        case notShortest, indefiniteLength, floatNotShortest, bignumNotNeeded
        case integralFloat, integerNotInDCBOR, simpleValueNotInDCBOR, notNormalized
        case tagNotAllowed, simpleValueNotAllowed, tagContent
    }
}

extension TapeFailure {
    /// The code of the error.
    var code: CBORError.Code {
        switch reason {
        case .missingItem, .truncatedHead, .unfinishedChunks, .shortArray, .shortMap, .shortString: .truncated
        case .reserved: .reserved
        case .unexpectedBreak: .unexpectedBreak
        case .invalidChunk: .invalidChunk
        case .invalidSimpleValue: .invalidSimpleValue
        case .invalidUTF8: .invalidUTF8
        case .trailingBytes: .trailingBytes
        case .tooLong, .tooDeep, .tooManyItems, .longString, .nestedKeys: .limitExceeded
        case .duplicateKey: .duplicateKey
        case .keyOrder, .notShortest, .indefiniteLength, .floatNotShortest, .bignumNotNeeded: .notDeterministic
        case .integralFloat, .integerNotInDCBOR, .simpleValueNotInDCBOR, .notNormalized: .notDeterministic
        case .tagNotAllowed, .simpleValueNotAllowed: .notAllowed
        case .tagContent: .invalidTagContent
        }
    }

    /// The message of the error.
    var message: String {
        switch reason {
        case .missingItem: "the input ends where an item should begin"
        case .truncatedHead: "the input ends in the head of an item"
        case .unfinishedChunks: "the input ends in a string in chunks"
        case .shortArray: "the input ends before the \(argument) items of the array can"
        case .shortMap: "the input ends before the \(argument) pairs of the map can"
        case .shortString: "the input ends before the \(argument) bytes of the string do"
        case .reserved: "additional information \(argument & 0x1f) does not exist in major type \(argument >> 5)"
        case .unexpectedBreak: "a break where no item of indefinite length can end"
        case .invalidChunk: "a chunk that is not a definite-length string of its kind"
        case .invalidSimpleValue: "a simple value below 32 in two bytes"
        case .invalidUTF8: "the text string is not valid UTF-8"
        case .trailingBytes: "\(argument) bytes follow the item"
        case .tooLong: "more than \(argument) bytes"
        case .tooDeep: "more than \(argument) levels of nesting"
        case .tooManyItems: "more than \(argument) items"
        case .longString: "a string of more than \(argument) bytes"
        case .nestedKeys: "arrays, maps or tags as keys more than \(argument) deep in each other"
        case .duplicateKey: "the key occurs before in the map"
        case .keyOrder: "the key is not in its place in the order of keys"
        case .notShortest: "the argument is not in its shortest form"
        case .indefiniteLength: "the length is indefinite"
        case .floatNotShortest: "the floating-point number is not in its shortest form"
        case .bignumNotNeeded: "the bignum has leading zeros or fits an integer"
        case .integralFloat: "dCBOR writes integral numbers as integers"
        case .integerNotInDCBOR: "dCBOR has no integers below -2^63"
        case .simpleValueNotInDCBOR: "dCBOR has no simple values but false, true and null"
        case .notNormalized: "dCBOR has text in Unicode normalization form C only"
        case .tagNotAllowed: "tag \(argument) is not allowed here"
        case .simpleValueNotAllowed: "simple value \(argument) is not allowed here"
        case .tagContent: "tag \(argument) takes \(TagContentCheck.expectation(for: argument))"
        }
    }
}
