import CBORKit

let response = ["a": 1]
let items: [UInt8] = []
let payload: [UInt8] = []
let document: CBORDocument = given()
let connection: AsyncStream<[UInt8]> = given()

typealias Response = [String: Int]

func handle(_ document: CBORDocument) {}
